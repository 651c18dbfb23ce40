import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '#api/areas/index'
import { RECORDED_CALLS } from '#api/areas/identity/security/recorded-calls'
import { MONEY_APPROVALS, ROLE_APPROVALS } from '#contract/approvals'
import type { Endpoint } from '#contract/http'
import { ACCESS, type Action } from '#domain/kit/access'
import { root } from './support/product-process.ts'

/** Whether a call with this right moves money or power. Typed, so that a new right cannot be forgotten. */
const POWER: Readonly<Record<Action, boolean>> = {
  'campaign.read': false,
  'campaign.write': false,
  'campaign.replicate-across': false,
  'owner-fields.read': false,
  'owner-fields.write': false,
  'max-margin.read': false,
  'campaign.admin-list': false,
  'campaign.moderate': false,
  'review.assign': false,
  'review.statistics': false,
  'registration.decide': true,
  'exchange.decide': false,
  'log.read': false,
  'log.verify': false,
  'webhook.manage': true,
  'events.read': false,
  'events.write': false,
  'audience.read': false,
  'audience.write': false,
  'balance.read': false,
  'balance.credit': true,
  'card.read': false,
  'card.write': true,
  'invoice.read': false,
  'invoice.write': true,
  'account.switch': true,
  'account.add': true,
  'account.list': false,
  'account.read': false,
  'account.audit': false,
  'account.manage': true,
  'account.rename': true,
  'account.represent': false,
  'account.search': false,
  'team.read': false,
  'team.manage': true,
  'whitelabel.customise': true,
  'whitelabel.manage': true,
  'operations.read': false,
  'operations.act': true,
  'chat.ask': false,
  'chat.answer': false,
  'credential.manage': true,
  'security.read': false,
  'profile.own': false,
  'page.administration': false,
  'page.billing': false,
  'page.staff': false,
  'page.staff-profile': false,
  'page.transactions': false,
}

/** Without a right of their own: a claim gives roles, the payment provider says that money came, and staff act for others. */
const BESIDE = ['session.finishSignOn', 'payment.webhook', 'user.switch']
/** Calls that write their security event themselves. */
const RECORD_THEMSELVES =
  /^(user\.switch|session\.finishSignOn|credential\.|scim\.|operations\.|profile\.(?:.*ApiKey|renewRecoveryCodes|removeSecondFactor|removePasskey|ownData)$)/

const isPower = ({ id, method, access, stepUp }: Endpoint): boolean =>
  BESIDE.includes(id) ||
  stepUp !== undefined ||
  (method !== 'GET' && (access === 'directory' || (access in ACCESS && POWER[access as Action])))

const page = readFileSync(join(root, 'docs/security.md'), 'utf8')
const section = page.slice(page.indexOf('## Money and power'), page.indexOf('## Security events'))
const rows = [...section.matchAll(/^\| `([\w.]+)` \| ([^|]+) \| ([^|]+) \| (\w+) \|$/gm)].map(
  ([, id = '', moves = '', control = '', recorded = '']) => ({ id, moves, control, recorded }),
)

describe('a call that moves money or power', () => {
  it('a call that moves money or power has one row in the table of docs/security.md, as no other call has', () => {
    const calls = ENDPOINTS.filter(isPower).map(({ id }) => id)
    expect(calls.length).toBeGreaterThan(80)
    expect(rows.map(({ id }) => id).toSorted()).toEqual(calls.toSorted())
  })

  it('a call that moves money or power is in the security log where its row says so', () => {
    const logged = (id: string) => id in RECORDED_CALLS || RECORD_THEMSELVES.test(id)
    expect(rows.filter(({ id, recorded }) => logged(id) !== (recorded === 'security'))).toEqual([])
    expect(rows.filter(({ recorded }) => !['security', 'events', 'none'].includes(recorded))).toEqual([])
  })

  it('names every kind of what waits for a second person, and no other', () => {
    const kinds = rows.flatMap(({ control }) => /waits?: ([\w, ]+)/.exec(control)?.[1]?.split(', ') ?? [])
    expect([...new Set(kinds)].toSorted()).toEqual([...MONEY_APPROVALS, ...ROLE_APPROVALS].toSorted())
  })
})
