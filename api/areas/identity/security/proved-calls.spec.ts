import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '#api/areas/index'
import { inScope } from '#contract/api-scopes'
import { ACCESS } from '#domain/kit/access'
import { API_SCOPES } from '#domain/kit/api-scopes'
import { RECORDED_CALLS } from './recorded-calls.ts'

/** Recorded calls that need no proof of the last minutes, with the reason (access.md "Calls that need a proof"). */
const WITHOUT_PROOF: Readonly<Record<string, string>> = {
  'account.legal': 'it names whom invoices are made out to',
  'account.rename': 'it moves no money and gives no right',
  'autoRefill.save': "it charges the account's own card",
  'invoice.csv': 'it holds figures of campaigns',
  'invoice.ubl': 'it holds figures of campaigns',
  'invoice.xlsx': 'it holds figures of campaigns',
  'space.ledgerCsv': 'it holds movements of money, and API keys read it',
  'team.resend': 'it mails an invitation that was proved',
  'team.signOut': 'it ends sessions, and the person may sign in',
  'team.withdraw': 'it takes a right away',
  'webhook.replay': 'it sends again to an address that was proved',
  'whitelabel.create': 'it gives no right to anyone',
}

const GUARDED = ENDPOINTS.filter(({ stepUp }) => stepUp !== undefined)

describe('a call that needs a proof', () => {
  it('every call that changes rights, money by hand or settings, or exports, needs a proof, but for those that say why', () => {
    const open = Object.keys(RECORDED_CALLS).filter((id) => ENDPOINTS.find((one) => one.id === id)?.stepUp === undefined)
    expect(open.toSorted()).toEqual(Object.keys(WITHOUT_PROOF))
    const own = ENDPOINTS.filter(({ id, stepUp }) => id.startsWith('profile.') && stepUp !== undefined).map(({ id }) => id)
    expect(own.toSorted()).toEqual([
      'profile.beginPasskey',
      'profile.beginSecondFactor',
      'profile.createApiKey',
      'profile.ownData',
      'profile.removePasskey',
      'profile.removeSecondFactor',
      'profile.renewRecoveryCodes',
      'profile.revokeApiKey',
      'profile.rotateApiKey',
    ])
  })

  it('a call that needs a proof is made by users alone: no API key and no service can make it', () => {
    expect(GUARDED.length).toBeGreaterThan(30)
    for (const endpoint of GUARDED) {
      expect([endpoint.id, endpoint.access in ACCESS, endpoint.alsoFor]).toEqual([endpoint.id, true, undefined])
      expect([endpoint.id, inScope(endpoint, API_SCOPES)]).toEqual([endpoint.id, false])
      // Keys could not make it before either: a proof takes no documented use from them.
      const { stepUp: _, ...before } = endpoint
      expect([endpoint.id, inScope(before, API_SCOPES)]).toEqual([endpoint.id, false])
    }
  })
})
