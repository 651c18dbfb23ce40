import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ACCOUNT_EVENTS, type AccountEvent } from '#domain/account/account'
import { LEDGER_EVENTS } from '#domain/account/ledger'
import { AUDIENCE_EVENTS } from '#domain/audience/audience'
import type { EventKind } from '#domain/audit/event-kinds'
import { CAMPAIGN_EVENTS } from '#domain/campaign/events'
import { EVERY_EVENT, schemaVersionOf } from '#domain/every-event'
import { INVOICE_EVENTS } from '#domain/invoice/events'
import { PAYMENT_EVENTS } from '#domain/payment/payment'
import { REGISTRATION_EVENTS } from '#domain/registration/registration'
import { WHITE_LABEL_EVENTS } from '#domain/white-label/white-label'
import type { StoredEvent } from '#eventstore/event-store'
import { tablesOf } from '#projections/projector/read-model'
import { created, plain, saved } from '#test/support/campaign-facts'
import { commit, expectExamplesOf, given, logOf, minute, rolledBack, textsOf, type Fact } from '#test/support/given-events'
import { itKeepsTheLaws } from '#test/support/rebuild-laws'
import { auditLog } from './read-model.ts'

const opened: AccountEvent = {
  type: 'AccountOpened',
  data: { space_id: 'nile', whitelabel_id: 'dsp', name: 'Nile Ads', currency: 'USD', house: false },
}
const limited = (credit_limit: number): AccountEvent => ({ type: 'CreditLimitChanged', data: { credit_limit } })
const on = (stream: string, ...facts: readonly Fact[]) => facts.map((fact) => commit(stream, fact))
const account = (...facts: readonly AccountEvent[]) => given(...on('account-nile', opened, ...facts)).project(auditLog)

const KINDS: Readonly<Record<EventKind, object>> = {
  account: ACCOUNT_EVENTS,
  audience: AUDIENCE_EVENTS,
  campaign: CAMPAIGN_EVENTS,
  invoice: INVOICE_EVENTS,
  ledger: LEDGER_EVENTS,
  payment: PAYMENT_EVENTS,
  registration: REGISTRATION_EVENTS,
  'white-label': WHITE_LABEL_EVENTS,
}
const ofKinds = Object.entries(KINDS).flatMap(([kind, events]) => Object.keys(events).map((type) => ({ kind, type })))
/** An event of the golden corpus in its newest shape. */
function golden(type: string): Fact {
  const file = new URL(`../../test/golden/events/${type}/v${schemaVersionOf(type)}.decoded.json`, import.meta.url)
  return { type, data: JSON.parse(readFileSync(fileURLToPath(file), 'utf8')) } as Fact
}

describe('the log of what happened', () => {
  it('the log of what happened has a row for every event of every kind of subject', () =>
    given(...ofKinds.map(({ kind, type }) => commit(`${kind}-1`, golden(type))))
      .project(auditLog)
      .shows({
        audit_log: ofKinds.map(({ kind, type }, n) => ({ position: n + 1, kind, subject_id: '1', type, at: minute(n) })),
      }))

  it('says who did it, as what, from where and for whom', () =>
    given(
      commit('account-nile', opened),
      commit('account-nile', limited(5), {
        actor: 'sade',
        role: 'WL_OWNER',
        source: 'api',
        on_behalf_of: 'nile',
        at: '2026-11-02T00:00:00.000Z',
      }),
    )
      .project(auditLog)
      .shows({
        audit_log: [
          { actor: 'ada', role: 'USER_OWNER', source: 'ui', on_behalf_of: null },
          {
            version: 2,
            revision: 2,
            actor: 'sade',
            role: 'WL_OWNER',
            source: 'api',
            on_behalf_of: 'nile',
            at: '2026-11-02T00:00:00.000Z',
          },
        ],
      }))

  it('the log of what happened has the revision of the commit for each of its events', () =>
    given(commit('account-nile', opened), commit('account-nile', [limited(5), limited(6)]))
      .project(auditLog)
      .shows({ audit_log: [{ revision: 1 }, { version: 2, revision: 2 }, { version: 3, revision: 2 }] }))
})

describe('the place of an event', () => {
  const AT_NILE = { whitelabel_id: 'dsp', space_id: 'nile' }
  const NOWHERE = { whitelabel_id: null, space_id: null }

  it('the place of an event is that which the first event of its subject names', () =>
    given(...on('campaign-c', created(), plain('CampaignSwitchedOn')))
      .project(auditLog)
      .shows({ audit_log: [AT_NILE, AT_NILE], audit_subjects: [{ stream: 'campaign-c', ...AT_NILE, version: 1 }] }))

  it('the place of an event is that of the account for its books', () =>
    given(
      ...on('account-nile', opened),
      ...on('ledger-nile-202611', golden('LedgerClosed')),
      ...on('ledger-x-202611', golden('LedgerClosed')),
    )
      .project(auditLog)
      .shows({ audit_log: [AT_NILE, { kind: 'ledger', subject_id: 'nile-202611', ...AT_NILE }, NOWHERE] }))

  it('the place of an event is its own name for a white-label', () =>
    given(...on('white-label-dsp', golden('WhiteLabelRestored')))
      .project(auditLog)
      .shows({ audit_log: [{ kind: 'white-label', subject_id: 'dsp', whitelabel_id: 'dsp', space_id: null }] }))

  it('the place of an event is unknown where no event of its subject named one', () =>
    given(...on('campaign-c', plain('CampaignSwitchedOn')))
      .project(auditLog)
      .shows({ audit_log: [NOWHERE], audit_subjects: [] }))
})

describe('the fields of an event', () => {
  it('the fields of an event are those that it changed, with the values before where it holds only the new ones', () =>
    account(limited(100), limited(250)).shows({
      audit_log: [
        { fields: ['space_id', 'whitelabel_id', 'name', 'currency', 'house', 'credit_limit'], was: null },
        { fields: ['credit_limit'], was: { credit_limit: 0 } },
        { fields: ['credit_limit'], was: { credit_limit: 100 } },
      ],
      audit_subjects: [{ stream: 'account-nile', set_values: { name: 'Nile Ads', credit_limit: 250 }, version: 3 }],
    }))

  it.each<readonly [title: string, event: AccountEvent, fields: readonly string[] | null]>([
    ['are none for a movement of money', { type: 'FundsCredited', data: { amount: 7, reason: 'Gift' } }, null],
    [
      'are the names of settings',
      { type: 'AccountSettingsChanged', data: { changes: [{ setting: 'niche', from: null, to: 'Fashion' }] } },
      ['niche'],
    ],
    ['are the names of what is stored elsewhere', { type: 'LegalEntityChanged', data: { fields: ['city'] } }, ['city']],
    ['are the flag of a suspension', { type: 'AccountSuspended', data: { reason: 'Unpaid' } }, ['suspended']],
    [
      'are without the ids of elements',
      { type: 'PersonInvited', data: { person_id: 'bob', roles: ['USER_VIEWER'] } },
      ['people.roles', 'people.state'],
    ],
    ['are none for a value that stays', { type: 'AccountRenamed', data: { name: 'Nile Ads' } }, null],
  ])('the fields of an event: %s', (_, event, fields) => account(event).shows({ audit_log: [{}, { type: event.type, fields }] }))

  it('the fields of an event are those of the saved content of a campaign, but none of a new one', () =>
    given(...on('campaign-c', created(), saved({ path: 'visuals.banners[b].url', from: null, to: 'https://nile.example' })))
      .project(auditLog)
      .shows({ audit_log: [{ fields: null }, { fields: ['visuals.banners.url'], was: null }] }))
})

it('each day has its first and its last position', () =>
  given(
    commit('account-nile', opened, { at: '2026-11-01T23:59:59.999Z' }),
    commit('account-nile', limited(1), { at: '2026-11-02T00:00:00.000Z' }),
    commit('campaign-c', created(), { at: '2026-11-01T12:00:00.000Z' }),
  )
    .project(auditLog)
    .shows({
      audit_days: [
        { day: '2026-11-01', first_position: 1, last_position: 3 },
        { day: '2026-11-02', first_position: 2, last_position: 2 },
      ],
    }))

describe('an event that cannot be read', () => {
  const [stored] = logOf(on('account-nile', opened))
  const rowsOf = (over: Partial<StoredEvent>) =>
    rolledBack([[auditLog, 1]], async (tx) => {
      await auditLog.apply(tx, tablesOf(auditLog, 1), [{ ...(stored as StoredEvent), ...over }], new Map())
      return (await textsOf(tx, tablesOf(auditLog, 1)['audit_log'] ?? '')).map((row) => JSON.parse(row) as object)
    })

  it('an event that cannot be read has a row all the same, since a gap would mislead', async () =>
    expect(await rowsOf({ data: '{', metadata: '{' })).toMatchObject([
      { type: 'AccountOpened', subject_id: 'nile', at: '', fields: null },
    ]))

  it('an event of a newer build is not guessed at', () =>
    expect(rowsOf({ schemaVersion: 9 })).rejects.toThrow('cannot read AccountOpened'))
})

itKeepsTheLaws(auditLog)

it('every event that changes the rows of the audit log has an example', () =>
  expectExamplesOf(auditLog, Object.keys(EVERY_EVENT)))
