import { describe, expect, it } from 'vitest'
import { ACCOUNT_EVENTS, type AccountEvent } from '#domain/account/account'
import { LEDGER_EVENTS, type LedgerEvent } from '#domain/account/ledger'
import type { TeamEvent } from '#domain/account/team'
import { commit, expectExamplesOf, given, minute } from '#test/support/given-events'
import { itKeepsTheLaws } from '#test/support/rebuild-laws'
import { accounts } from './read-model.ts'

const USD = 1_000_000

const opened = (space_id: string, name: string): AccountEvent => ({
  type: 'AccountOpened',
  data: { space_id, whitelabel_id: 'dsp', name, currency: 'USD', house: false },
})
const settled = (settlement: number, amount: number): Extract<LedgerEvent, { type: 'SpendSettled' }> => ({
  type: 'SpendSettled',
  data: {
    settlement,
    amount,
    charges: { count: 1, first: 'b1', last: 'b1', sha256: null },
    campaigns: [{ campaign_id: 'c', amount }],
  },
})
const LEDGER_OPENED: LedgerEvent = {
  type: 'LedgerOpened',
  data: { space_id: 'nile', month: '202611', settlements: 0, settled: 0, balance: 0, account_version: 1, previous: null },
}
const LEDGER_CLOSED: LedgerEvent = { type: 'LedgerClosed', data: { count: 1, spent: 1, settlements: 1, settled: 1 } }

const received = (amount: number, invoice_id: string | null = null): AccountEvent => ({
  type: 'PaymentReceived',
  data: { payment_id: 'p', amount, method: 'card', invoice_id },
})
const assigned = (type: 'FundsAssigned' | 'FundsReleased', amount: number): AccountEvent => ({
  type,
  data: { invoice_id: 'i', assignment_id: 'a', amount },
})

/** Events of an account, each in a commit of its own; those of its books are in the stream of their month. */
const account = (...events: readonly (AccountEvent | { readonly books: LedgerEvent })[]) =>
  given(
    commit('account-nile', opened('nile', 'Nile Ads')),
    ...events.map((event) => ('books' in event ? commit('ledger-nile-202611', event.books) : commit('account-nile', event))),
  ).project(accounts)

const NEW = {
  space_id: 'nile',
  whitelabel_id: 'dsp',
  name: 'Nile Ads',
  search_name: 'nile ads',
  currency: 'USD',
  house: false,
  balance: 0,
  credit_limit: 0,
  settlements: 0,
  movements: 0,
  notices: [],
  spent: 0,
  assigned: 0,
  taxed: 0,
  settings: {},
  suspended: false,
  suspended_at: null,
  suspended_reason: null,
  suspension_revision: 0,
  created_at: minute(0),
}
const OF_PAYMENT = { payment_id: 'p', amount: 7 }
const OF_INVOICE = { invoice_id: 'i', amount: 7 }
const NOTHING_BEHIND = { reason: null, settlement: null, payment_id: null, invoice_id: null, document_id: null }

describe('an account', () => {
  it('begins with no money, no settings and its own name', () => account().shows({ accounts: [NEW], account_ledger: [] }))

  it.each<readonly [title: string, events: readonly AccountEvent[], changed: object]>([
    ['has the credit limit that was set last', [{ type: 'CreditLimitChanged', data: { credit_limit: 5 } }], { credit_limit: 5 }],
    [
      'has the notices of a low balance that hold now',
      [
        { type: 'BalanceNoticesChanged', data: { notices: ['runway_1', 'runway_3'], available: 5 } },
        { type: 'BalanceNoticesChanged', data: { notices: ['runway_3'], available: 9 } },
      ],
      { notices: ['runway_3'] },
    ],
    [
      'has each setting with its newest value',
      [
        {
          type: 'AccountSettingsChanged',
          data: {
            changes: [
              { setting: 'niche', from: null, to: 'Fashion' },
              { setting: 'max_margin', from: null, to: 20 },
            ],
          },
        },
        { type: 'AccountSettingsChanged', data: { changes: [{ setting: 'max_margin', from: 20, to: null }] } },
      ],
      { settings: { niche: 'Fashion', max_margin: null } },
    ],
    [
      'has its new name, by which it is found',
      [{ type: 'AccountRenamed', data: { name: 'Délta' } }],
      { name: 'Délta', search_name: 'delta' },
    ],
    [
      'is suspended since, and why',
      [{ type: 'AccountSuspended', data: { reason: 'Unpaid' } }],
      { suspended: true, suspended_at: minute(1), suspended_reason: 'Unpaid', suspension_revision: 2 },
    ],
    [
      'is no longer suspended once it is restored',
      [
        { type: 'AccountSuspended', data: { reason: 'Unpaid' } },
        { type: 'AccountRestored', data: { reason: 'Paid' } },
      ],
      { suspended: false, suspended_at: null, suspended_reason: null, suspension_revision: 3 },
    ],
    ['is not changed by an invoice address', [{ type: 'LegalEntityChanged', data: { fields: ['city'] } }], {}],
    ['is not changed by its cards', [{ type: 'CardAdded', data: { card_id: 'visa' } }], {}],
    ['is not changed by a card that is removed', [{ type: 'CardRemoved', data: { card_id: 'visa' } }], {}],
    ['is not changed by its default card', [{ type: 'DefaultCardChanged', data: { card_id: 'visa' } }], {}],
    [
      'is not changed by its automatic refill',
      [{ type: 'AutoRefillChanged', data: { enabled: true, threshold: 1, amount: 2, monthly_limit: 3 } }],
      {},
    ],
    [
      'is not changed by an automatic refill that stopped',
      [{ type: 'AutoRefillStopped', data: { payment_id: 'p', failure_code: 'card_declined' } }],
      {},
    ],
  ])('an account: %s', (_, events, changed) => account(...events).shows({ accounts: [{ ...NEW, ...changed }] }))

  it('each account has a row of its own', () =>
    given(
      commit('account-nile', opened('nile', 'Nile Ads')),
      commit('account-lagos', {
        ...opened('lagos', 'Lagos House'),
        data: { ...opened('lagos', 'Lagos House').data, house: true },
      } as AccountEvent),
      commit('account-lagos', received(3)),
    )
      .project(accounts)
      .shows({
        accounts: [
          { space_id: 'lagos', name: 'Lagos House', house: true, balance: 3 },
          { space_id: 'nile', house: false, balance: 0 },
        ],
      }))
})

/** After a payment of 100 micros. */
describe('the balance of an account', () => {
  it.each<readonly [title: string, event: AccountEvent, now: { readonly balance: number; [sum: string]: number }, row: object]>([
    [
      'gains a credit by hand, with its reason',
      { type: 'FundsCredited', data: { amount: 7, reason: 'Gift' } },
      { balance: 107 },
      { type: 'credit', amount: 7, reason: 'Gift' },
    ],
    [
      'loses a correction, with its reason',
      { type: 'FundsCorrected', data: { amount: -7, reason: 'Typo' } },
      { balance: 93 },
      { type: 'correction', amount: -7, reason: 'Typo' },
    ],
    [
      'gains a payment, with the invoice that it pays',
      received(7, 'i'),
      { balance: 107 },
      { type: 'payment', amount: 7, payment_id: 'p', invoice_id: 'i' },
    ],
    [
      'loses a refund',
      { type: 'PaymentRefunded', data: { ...OF_PAYMENT, refund_id: 'r' } },
      { balance: 93 },
      { type: 'refund', amount: -7, payment_id: 'p', document_id: 'r' },
    ],
    [
      'gains a refund that failed',
      { type: 'RefundReversed', data: { ...OF_PAYMENT, refund_id: 'r' } },
      { balance: 107 },
      { type: 'refund_reversed', amount: 7, payment_id: 'p', document_id: 'r' },
    ],
    [
      'loses a disputed payment',
      { type: 'PaymentDisputed', data: { ...OF_PAYMENT, dispute_id: 'd' } },
      { balance: 93 },
      { type: 'dispute', amount: -7, payment_id: 'p', document_id: 'd' },
    ],
    [
      'gains a dispute that was won',
      { type: 'DisputeWon', data: { ...OF_PAYMENT, dispute_id: 'd' } },
      { balance: 107 },
      { type: 'dispute_won', amount: 7, payment_id: 'p', document_id: 'd' },
    ],
    [
      'gains a credit note',
      { type: 'CreditNoteIssued', data: { ...OF_INVOICE, credit_note_id: 'c' } },
      { balance: 107 },
      { type: 'credit_note', amount: 7, invoice_id: 'i', document_id: 'c' },
    ],
    [
      'loses the tax of an invoice, which it sums up',
      { type: 'TaxCharged', data: OF_INVOICE },
      { balance: 93, taxed: 7 },
      { type: 'tax', amount: -7, invoice_id: 'i' },
    ],
    [
      'gains the tax of a void invoice',
      { type: 'TaxReversed', data: OF_INVOICE },
      { balance: 107, taxed: -7 },
      { type: 'tax_reversed', amount: 7, invoice_id: 'i' },
    ],
    [
      'loses spend from before there were books',
      settled(1, 7),
      { balance: 93, spent: 7, settlements: 1 },
      { type: 'spend', amount: -7, settlement: 1 },
    ],
  ])('the balance of an account: %s', (_, event, now, row) =>
    account(received(100), event).shows({
      accounts: [{ ...NEW, ...now, movements: 2 }],
      account_ledger: [
        { version: 1, type: 'refill', amount: 100, balance_after: 100 },
        { ...NOTHING_BEHIND, space_id: 'nile', version: 2, at: minute(2), balance_after: now.balance, actor: 'ada', ...row },
      ],
    }),
  )

  // covers USR-27
  it('loses the spend in its books, each settlement once', () =>
    account(received(100 * USD), { books: LEDGER_OPENED }, { books: settled(1, 3 * USD) }, { books: settled(2, 4 * USD) }).shows({
      accounts: [{ balance: 93 * USD, spent: 7 * USD, settlements: 2, movements: 3 }],
      account_ledger: [
        { settlement: null, balance_after: 100 * USD },
        { settlement: 1, amount: -3 * USD, balance_after: 97 * USD },
        { settlement: 2, amount: -4 * USD, balance_after: 93 * USD },
      ],
    }))

  it('ignores a settlement that is older than the newest in it', () =>
    account({ books: settled(2, 4) }, { books: settled(2, 9) }, { books: settled(1, 5) }).shows({
      accounts: [{ balance: -4, spent: 4, settlements: 2, movements: 1 }],
    }))

  it('stays when a month of its books begins and ends', () =>
    account({ books: LEDGER_OPENED }, { books: LEDGER_CLOSED }).shows({ accounts: [NEW], account_ledger: [] }))

  it('stays when funds are assigned to an invoice and released', () =>
    account(received(100), assigned('FundsAssigned', 60), assigned('FundsReleased', 20)).shows({
      accounts: [{ balance: 100, assigned: 40, movements: 1 }],
      account_ledger: [{ version: 1, type: 'refill' }],
    }))

  it('the balance of an account is negative for an account that spent more than it has', () =>
    account({ books: settled(1, 5) }).shows({ accounts: [{ balance: -5 }], account_ledger: [{ balance_after: -5 }] }))

  it('the balance of an account is unknown for spend of an account that was never opened', () =>
    given(commit('ledger-nobody-202611', settled(1, 5)))
      .project(accounts)
      .shows({ accounts: [], account_ledger: [] }))
})

const TEAM: readonly TeamEvent[] = [
  { type: 'PeopleRecorded', data: { people: [{ person_id: 'ada', roles: ['USER_OWNER'], state: 'active' }] } },
  { type: 'PersonInvited', data: { person_id: 'bob', roles: ['USER_VIEWER'] } },
  { type: 'InvitationRepeated', data: { person_id: 'bob' } },
  { type: 'InvitationWithdrawn', data: { person_id: 'bob' } },
  { type: 'PersonJoined', data: { person_id: 'bob' } },
  { type: 'PersonRolesChanged', data: { person_id: 'bob', from: ['USER_VIEWER'], to: ['USER_OWNER'] } },
  { type: 'PersonRightChanged', data: { person_id: 'bob', right: 'campaign.write', to: 'granted', until: null, by: 'ada' } },
  { type: 'PersonDeactivated', data: { person_id: 'bob' } },
  { type: 'PersonReactivated', data: { person_id: 'bob' } },
]

describe('the history of an account', () => {
  it('lists what people did, with its data, its author and its time', () =>
    given(
      commit('account-nile', opened('nile', 'Nile Ads'), { actor: 'sade' }),
      commit('account-nile', { type: 'CreditLimitChanged', data: { credit_limit: 5 } }, { actor: 'bola' }),
    )
      .project(accounts)
      .shows({
        account_history: [
          { space_id: 'nile', version: 1, type: 'AccountOpened', actor: 'sade', at: minute(0), data: { name: 'Nile Ads' } },
          { space_id: 'nile', version: 2, type: 'CreditLimitChanged', actor: 'bola', at: minute(1), data: { credit_limit: 5 } },
        ],
      }))

  it('lists every change of its people, which changes nothing else', () =>
    account(...TEAM).shows({
      accounts: [NEW],
      account_history: [{ type: 'AccountOpened' }, ...TEAM.map((event, n) => ({ ...event, version: n + 2 }))],
    }))

  it('leaves out what policies record several times a day', async () => {
    const notices: AccountEvent = { type: 'BalanceNoticesChanged', data: { notices: ['empty'], available: 0 } }
    const after = account(settled(1, 1), notices, assigned('FundsAssigned', 1), assigned('FundsReleased', 1), received(9))
    expect((await after.rows('account_history')).map(({ type }) => type)).toEqual(['AccountOpened', 'PaymentReceived'])
  })
})

/** A name with every character that COPY escapes, settlements that are repeated, and books of an account that was never opened. */
const AWKWARD = 'tab\t, line\n, return\r, back\\slash, \\N, "quoted" {} \u{1f600}'
itKeepsTheLaws(accounts, [
  commit('account-lagos', opened('lagos', AWKWARD)),
  ...[1, 2, 2, 1, 3].map((n) => commit('ledger-lagos-202611', settled(n, n))),
  commit('account-lagos', { type: 'FundsCredited', data: { amount: 7, reason: AWKWARD } }),
  commit('ledger-nobody-202611', settled(1, 5)),
])

it('every event that changes the rows of accounts has an example', () =>
  expectExamplesOf(accounts, Object.keys({ ...ACCOUNT_EVENTS, ...LEDGER_EVENTS })))
