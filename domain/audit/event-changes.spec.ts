import { expect, test } from 'vitest'
import type { JsonObject } from '../kit/json-changes.ts'
import { isContentPath, recordedOf, auditValues, type AnyEvent, type EventType } from './event-changes.ts'
import { EVENT_KINDS, streamOfSubject, subjectOf } from './event-kinds.ts'
import { ACCOUNT_STREAMS } from '../account/account.ts'
import { LEDGER_STREAMS } from '../account/ledger.ts'
import { AUDIENCE_STREAMS } from '../audience/audience.ts'
import { CAMPAIGN_STREAMS } from '../campaign/state.ts'
import { INVOICE_STREAMS } from '../invoice/events.ts'
import { PAYMENT_STREAMS } from '../payment/payment.ts'
import { REGISTRATION_STREAMS } from '../registration/registration.ts'
import { WHITE_LABEL_STREAMS } from '../white-label/white-label.ts'

const event = (type: EventType, data: JsonObject): AnyEvent => ({ type, data })

/** Changes that the feed shows of each of these events of one subject. */
function shown(...events: readonly AnyEvent[]) {
  let values: JsonObject = {}
  return events.map((one) => {
    const { was, fields, values: next } = recordedOf(one, values)
    values = next ?? values
    return { fields, changes: auditValues(one, was ?? {}) }
  })
}

test('knows the streams of every kind of subject', () => {
  const prefixes = [
    ACCOUNT_STREAMS,
    AUDIENCE_STREAMS,
    CAMPAIGN_STREAMS,
    INVOICE_STREAMS,
    LEDGER_STREAMS,
    PAYMENT_STREAMS,
    REGISTRATION_STREAMS,
    WHITE_LABEL_STREAMS,
  ]
  expect(EVENT_KINDS.map((kind) => streamOfSubject(kind, ''))).toEqual(prefixes)
  expect(subjectOf('white-label-ng')).toEqual({ kind: 'white-label', id: 'ng' })
  expect(subjectOf('campaign-a-b')).toEqual({ kind: 'campaign', id: 'a-b' })
  expect(subjectOf('white-ng')).toBeNull()
})

test('shows a credit limit that changed with the value of before', () => {
  const [, first, second] = shown(
    event('AccountOpened', { space_id: 's', whitelabel_id: 'w', name: 'Nile', currency: 'USD', house: false }),
    event('CreditLimitChanged', { credit_limit: 100 }),
    event('CreditLimitChanged', { credit_limit: 250 }),
  )
  expect(first).toEqual({ fields: ['credit_limit'], changes: [{ path: 'credit_limit', from: 0, to: 100 }] })
  expect(second).toEqual({ fields: ['credit_limit'], changes: [{ path: 'credit_limit', from: 100, to: 250 }] })
})

test('lists no field whose value stays', () => {
  const terms = { from: '2026-01-01', to: '2026-02-01', due_date: null, note: 'One' }
  const [, changed, same] = shown(
    event('InvoiceDrafted', { ...terms, space_id: 's', whitelabel_id: 'w', currency: 'USD', offset_seconds: 0 }),
    event('DraftChanged', { ...terms, due_date: '2026-03-01', note: 'Two' }),
    event('DraftChanged', { ...terms, due_date: '2026-03-01', note: 'Two' }),
  )
  expect(changed).toEqual({
    fields: ['due_date', 'note'],
    changes: [
      { path: 'due_date', from: null, to: '2026-03-01' },
      { path: 'note', from: 'One', to: 'Two' },
    ],
  })
  expect(same).toEqual({ fields: null, changes: [] })
})

test('keeps the refill, the card and the invoicing of an account apart from other fields of the same names', () => {
  const refill = { enabled: true, threshold: 1, amount: 5, monthly_limit: 50 }
  const [, stopped] = shown(
    event('AutoRefillChanged', refill),
    event('AutoRefillStopped', { payment_id: 'p', failure_code: 'card_declined' }),
  )
  expect(stopped).toEqual({
    fields: ['auto_refill.enabled'],
    changes: [
      { path: 'auto_refill.enabled', from: true, to: false },
      { path: 'payment_id', from: null, to: 'p' },
      { path: 'failure_code', from: null, to: 'card_declined' },
    ],
  })
  expect(shown(event('WhiteLabelInvoicingChanged', { city: 'Cairo' }))[0]?.fields).toEqual(['invoicing.city'])
  expect(shown(event('DefaultCardChanged', { card_id: 'c' }))[0]?.fields).toEqual(['default_card'])
})

test('names elements of lists by their path alone', () => {
  const changes = [{ path: 'visuals.banners[b1].file_id', from: 'x', to: 'y' }]
  const [saved] = shown(event('CampaignUpdated', { changes, restored: null, undone: 4 }))
  expect(saved).toEqual({
    fields: ['visuals.banners.file_id'],
    changes: [...changes, { path: 'undone', from: null, to: 4 }],
  })
  expect([isContentPath('visuals.banners'), isContentPath('budget'), isContentPath('credit_limit')]).toEqual([true, true, false])
})

test('shows which fields of a legal entity changed, whose values are not in the log', () => {
  expect(shown(event('LegalEntityChanged', { fields: ['city'] }))).toEqual([
    { fields: ['city'], changes: [{ path: 'city', from: null, to: null }] },
  ])
})

test('shows a flag that was set, and why', () => {
  expect(shown(event('AccountSuspended', { reason: 'Unpaid' }))).toEqual([
    {
      fields: ['suspended'],
      changes: [
        { path: 'suspended', from: false, to: true },
        { path: 'reason', from: null, to: 'Unpaid' },
      ],
    },
  ])
})

test('shows facts from null, and no field of theirs', () => {
  expect(shown(event('FundsCredited', { amount: 5, reason: 'Cash', asked_by: null }))).toEqual([
    {
      fields: null,
      changes: [
        { path: 'amount', from: null, to: 5 },
        { path: 'reason', from: null, to: 'Cash' },
      ],
    },
  ])
})
