import { sql, type Kysely, type RawBuilder } from 'kysely'
import { ACCOUNT_STREAMS, decodeAccountEvent, type AccountEvent } from '#domain/account/account'
import { DEFAULT_SETTINGS, type AccountSettings } from '#domain/account/settings'
import { decodeLedgerEvent, LEDGER_STREAMS, spaceOfLedger } from '#domain/account/ledger'
import type { BalanceNotice } from '#domain/account/low-balance'
import type { MovementType } from '#domain/account/movement-types'
import { MOVEMENT_EVENTS, movementOf, movementType, type MovementEvent } from '#domain/account/movements'
import { readMetadata } from '#domain/kit/event-metadata'
import type { StoredEvent } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import { addRows, column, table, type PhysicalSet } from '../projector/table.ts'
import { SEARCH_NAME } from '../name-search.ts'
import { pageAndTotal } from '../page-and-total.ts'

/** Streams with movements of accounts: their own, and their books. */
export const MONEY_STREAMS = [ACCOUNT_STREAMS, LEDGER_STREAMS]
/** The account of one of them. */
export const spaceOf = (stream: string): string =>
  stream.startsWith(LEDGER_STREAMS) ? spaceOfLedger(stream) : stream.slice(ACCOUNT_STREAMS.length)

/** Accounts with their balance, every movement of it, and what staff did with them. */
export const ACCOUNTS = {
  accounts: table(
    {
      space_id: column.id(),
      whitelabel_id: column.id(),
      name: column.text(),
      // Stored: a search compares a text many times.
      search_name: column.computed(SEARCH_NAME),
      currency: column.text(),
      house: column.flag,
      balance: column.big,
      credit_limit: column.big,
      /** Number of the newest settlement in the balance. */
      settlements: column.int,
      /** Number of movements. */
      movements: column.int.or('0'),
      /** Notices of a low balance that hold. */
      notices: column.texts<BalanceNotice>().or("'{}'"),
      /** Settled spend, micros. */
      spent: column.big.or('0'),
      /** Funds that pay invoices, micros. */
      assigned: column.big.or('0'),
      /** Taxes that invoices added to the spend, micros. */
      taxed: column.big.or('0'),
      /** Settings that differ from those of a new account. */
      settings: column.jsonb<Partial<AccountSettings>>().or("'{}'"),
      suspended: column.flag.or('false'),
      suspended_at: column.id().orNull,
      suspended_reason: column.text().orNull,
      /** Revision of the newest suspension or restoration. */
      suspension_revision: column.int.or('0'),
      /** When the account was opened. */
      created_at: column.id().or("''"),
      version: column.int,
    },
    {
      key: ['space_id'],
      indexes: [
        'using gin (search_name public.gin_trgm_ops)',
        '(whitelabel_id, lower(name), space_id)',
        '(whitelabel_id, app.name_key(name))',
        '(space_id) where suspension_revision > 0',
      ],
    },
  ),
  account_ledger: table(
    {
      space_id: column.id(),
      /** Counts the movements of the account, in the order of the log. */
      version: column.int,
      event_id: column.id(),
      at: column.id(),
      type: column.id<MovementType>(),
      amount: column.big,
      balance_after: column.big,
      /** The reason of a credit or correction by hand. */
      reason: column.text().orNull,
      // Sources of the movement.
      settlement: column.int.orNull,
      payment_id: column.id().orNull,
      invoice_id: column.id().orNull,
      document_id: column.id().orNull,
      actor: column.id(),
    },
    {
      key: ['space_id', 'version'],
      keyedLast: true,
      // Movements are added in the order of their times: for what moved since a moment.
      indexes: ['using brin (at)'],
    },
  ),
  account_history: table(
    {
      space_id: column.id(),
      version: column.int,
      event_id: column.id(),
      at: column.id(),
      type: column.id<AccountEvent['type']>(),
      actor: column.id(),
      data: column.jsonb<AccountEvent['data']>(),
    },
    { key: ['space_id', 'version'], keyedLast: true },
  ),
}
export type AccountTables = PhysicalSet<typeof ACCOUNTS>

export async function applyAccounts(
  db: Kysely<Db>,
  { accounts, account_ledger: ledger, account_history: history }: AccountTables,
  events: readonly StoredEvent[],
): Promise<void> {
  for (const stored of events) {
    if (stored.stream.startsWith(LEDGER_STREAMS)) await applyLedger(db, accounts, ledger, stored)
    if (!stored.stream.startsWith(ACCOUNT_STREAMS)) continue
    const event = decodeAccountEvent(stored)
    const spaceId = stored.stream.slice(ACCOUNT_STREAMS.length)
    if (!OF_POLICIES.has(event.type)) {
      const { at, actor } = readMetadata(stored.metadata)
      await addRows(db, history, [
        { space_id: spaceId, version: stored.version, event_id: stored.id, at, type: event.type, actor, data: event.data },
      ])
    }
    if (event.type === 'AccountOpened') {
      const { space_id, whitelabel_id, name, currency, house } = event.data
      const { at: created_at } = readMetadata(stored.metadata)
      const account = { space_id, whitelabel_id, name, currency, house, created_at, version: stored.version }
      await addRows(db, accounts, [{ ...account, balance: 0, credit_limit: 0, settlements: 0 }])
      continue
    }
    // The version guard ignores an event that was applied before.
    const moves = isMovement(event) && movementType(event) !== null
    const { rows } = await sql<Moved>`
      update ${accounts}
      set ${changeOf(event, readMetadata(stored.metadata))}, movements = movements + ${moves ? 1 : 0}, version = ${stored.version}
      where space_id = ${spaceId} and version < ${stored.version} returning balance, movements`.execute(db)
    if (rows[0] !== undefined && moves) await addMovement(db, ledger, spaceId, stored, event, rows[0])
  }
}

/** Spend in the books of an account. */
async function applyLedger(
  db: Kysely<Db>,
  accounts: AccountTables['accounts'],
  ledger: AccountTables['account_ledger'],
  stored: StoredEvent,
): Promise<void> {
  const event = decodeLedgerEvent(stored)
  if (event.type !== 'SpendSettled') return
  const spaceId = spaceOfLedger(stored.stream)
  // The number of the settlement ignores an event that was applied before.
  const { rows } = await sql<Moved>`
    update ${accounts} set ${movedBy(event)}, movements = movements + 1
    where space_id = ${spaceId} and settlements < ${event.data.settlement} returning balance, movements`.execute(db)
  if (rows[0] !== undefined) await addMovement(db, ledger, spaceId, stored, event, rows[0])
}

/** The account after a movement. */
type Moved = { readonly balance: bigint; readonly movements: number }

async function addMovement(
  db: Kysely<Db>,
  ledger: AccountTables['account_ledger'],
  spaceId: string,
  stored: StoredEvent,
  event: MovementEvent,
  { balance, movements }: Moved,
): Promise<void> {
  const { at, actor } = readMetadata(stored.metadata)
  const { reason = null, settlement = null, payment_id = null, invoice_id = null, document_id = null } = behind(event)
  const type = movementType(event)
  if (type === null) return
  await addRows(db, ledger, [
    {
      space_id: spaceId,
      version: movements,
      event_id: stored.id,
      at,
      type,
      amount: movementOf(event),
      balance_after: balance,
      reason,
      settlement,
      payment_id,
      invoice_id,
      document_id,
      actor,
    },
  ])
}

/** Recorded by policies, several times a day: they are no part of an account's history. */
export const OF_POLICIES: ReadonlySet<AccountEvent['type']> = new Set([
  'SpendSettled',
  'BalanceNoticesChanged',
  'FundsAssigned',
  'FundsReleased',
])

export type Changing = Exclude<AccountEvent, { readonly type: 'AccountOpened' }>

export const isMovement = (event: Changing): event is MovementEvent => event.type in MOVEMENT_EVENTS

type Behind = {
  readonly reason?: string
  readonly settlement?: number
  readonly payment_id?: string
  readonly invoice_id?: string | null
  /** The credit note, refund or dispute. */
  readonly document_id?: string
}

/** Sources of a movement. */
export function behind({ type, data }: MovementEvent): Behind {
  switch (type) {
    case 'FundsCredited':
    case 'FundsCorrected':
      return { reason: data.reason }
    case 'SpendSettled':
      return { settlement: data.settlement }
    case 'PaymentReceived':
      return { payment_id: data.payment_id, invoice_id: data.invoice_id }
    case 'PaymentRefunded':
    case 'RefundReversed':
      return { payment_id: data.payment_id, document_id: data.refund_id }
    case 'PaymentDisputed':
    case 'DisputeWon':
      return { payment_id: data.payment_id, document_id: data.dispute_id }
    case 'CreditNoteIssued':
      return { invoice_id: data.invoice_id, document_id: data.credit_note_id }
    case 'TaxCharged':
    case 'TaxReversed':
      return { invoice_id: data.invoice_id }
    case 'FundsAssigned':
    case 'FundsReleased':
      return {}
  }
}

function changeOf(event: Changing, { at, revision }: { readonly at: string; readonly revision: number }): RawBuilder<unknown> {
  if (isMovement(event)) return movedBy(event)
  switch (event.type) {
    case 'CreditLimitChanged':
      return sql`credit_limit = ${event.data.credit_limit}`
    case 'BalanceNoticesChanged':
      return sql`notices = ${[...event.data.notices]}::text[]`
    case 'AccountSettingsChanged': {
      const changed = Object.fromEntries(event.data.changes.map(({ setting, to }) => [setting, to]))
      return sql`settings = settings || ${JSON.stringify(changed)}::jsonb`
    }
    case 'AccountRenamed':
      return sql`name = ${event.data.name}`
    case 'LegalEntityChanged':
    case 'PeopleRecorded':
    case 'PersonInvited':
    case 'InvitationRepeated':
    case 'InvitationWithdrawn':
    case 'PersonJoined':
    case 'PersonRolesChanged':
    case 'PersonRightChanged':
    case 'PersonDeactivated':
    case 'PersonReactivated':
    case 'CardAdded':
    case 'CardRemoved':
    case 'DefaultCardChanged':
    case 'AutoRefillChanged':
    case 'AutoRefillStopped':
      return sql`name = name`
    case 'AccountSuspended':
      return sql`suspended = true, suspended_at = ${at}, suspended_reason = ${event.data.reason}, suspension_revision = ${revision}`
    case 'AccountRestored':
      return sql`suspended = false, suspended_at = null, suspended_reason = null, suspension_revision = ${revision}`
  }
}

function movedBy(event: MovementEvent): RawBuilder<unknown> {
  const moved = sql`balance = balance + ${movementOf(event)}`
  switch (event.type) {
    case 'SpendSettled':
      return sql`${moved}, spent = spent + ${event.data.amount}, settlements = ${event.data.settlement}`
    case 'TaxCharged':
    case 'TaxReversed':
      return sql`${moved}, taxed = taxed - ${movementOf(event)}`
    case 'FundsAssigned':
      return sql`assigned = assigned + ${event.data.amount}`
    case 'FundsReleased':
      return sql`assigned = assigned - ${event.data.amount}`
    case 'FundsCredited':
    case 'FundsCorrected':
    case 'PaymentReceived':
    case 'PaymentRefunded':
    case 'RefundReversed':
    case 'PaymentDisputed':
    case 'DisputeWon':
    case 'CreditNoteIssued':
      return moved
  }
}

export type AccountRow = {
  readonly space_id: string
  readonly whitelabel_id: string
  readonly name: string
  readonly currency: string
  readonly house: boolean
  /** Micros, charges included that the ledger has yet to settle. */
  readonly balance: number
  /** Micros, charges in the balance that the ledger has yet to settle. */
  readonly unsettled: number
  /** Micros. */
  readonly credit_limit: number
  /** True while events of the account cannot be applied. */
  readonly parked: boolean
  readonly notices: readonly BalanceNotice[]
  /** Micros, charges included that the ledger has yet to settle. */
  readonly spent: number
  readonly settings: AccountSettings
  readonly suspended: boolean
  readonly suspended_at: string | null
  readonly suspended_reason: string | null
  /** When the account was opened. */
  readonly created_at: string
}

/** Charges of an account that its balance does not contain yet. They name their settlement, so none counts twice or not at all. */
export const openCharges = sql`
  coalesce((
    select sum(c.amount) from unsettled_charges c
    where c.space_id = a.space_id and (c.settlement is null or c.settlement > a.settlements)
  ), 0)`

/** Whether events of an account cannot be applied: its balance is then not known, and it must not spend. */
export const accountIsParked = sql`
  exists (
    select from es.dead_letters d
    join es.subscriptions s on s.name = d.name and s.generation = d.generation and s.status = 'live'
    where d.name = 'accounts' and d.resolved_at is null
      and (d.stream_id = ${ACCOUNT_STREAMS} || a.space_id or d.stream_id like ${LEDGER_STREAMS} || a.space_id || '-%')
  )`

const SHOWN = sql`
  a.space_id, a.whitelabel_id, a.name, a.currency, a.house, (a.balance - ${openCharges})::float8 as balance,
  ${accountIsParked} as parked, ${openCharges}::float8 as unsettled,
  a.credit_limit::float8 as credit_limit, a.notices, (a.spent + ${openCharges})::float8 as spent,
  ${JSON.stringify(DEFAULT_SETTINGS)}::jsonb || a.settings as settings, a.suspended, a.suspended_at, a.suspended_reason, a.created_at`

/** The account of a white-label's staff; null where it was not opened so far. */
export async function houseOf(db: Kysely<Db>, whitelabelId: string): Promise<string | null> {
  const houses = db
    .selectFrom('rm_accounts')
    .select('space_id')
    .where('whitelabel_id', '=', whitelabelId)
    .where('house', '=', true)
  return (await houses.orderBy('created_at').executeTakeFirst())?.space_id ?? null
}

/** The accounts of the staff of all white-labels, by white-label, as far as they were opened. */
export async function housesOf(db: Kysely<Db>): Promise<ReadonlyMap<string, string>> {
  const houses = db.selectFrom('rm_accounts').select(['whitelabel_id', 'space_id']).where('house', '=', true)
  // The first one counts, so it is put in last.
  const rows = await houses.orderBy('created_at', 'desc').execute()
  return new Map(rows.map(({ whitelabel_id, space_id }) => [whitelabel_id, space_id]))
}

/** By space id; unknown ids are missing. */
export async function findAccounts(db: Kysely<Db>, spaceIds: readonly string[]): Promise<ReadonlyMap<string, AccountRow>> {
  const { rows } = await sql<AccountRow>`
    select ${SHOWN} from rm_accounts a where a.space_id = any(${[...new Set(spaceIds)]})`.execute(db)
  return new Map(rows.map((row) => [row.space_id, row]))
}

export type LedgerRow = {
  /** Counts the movements of the account. */
  readonly version: number
  readonly id: string
  readonly at: string
  readonly type: MovementType
  /** Micros; negative where it takes from the balance. */
  readonly amount: number
  readonly balance_after: number
  /** The reason of a credit or correction by hand. */
  readonly reason: string | null
  readonly settlement: number | null
  /** Number of settlements in a row of spend; null for other movements. */
  readonly settlements: number | null
  readonly payment_id: string | null
  readonly invoice_id: string | null
  /** The credit note, refund or dispute. */
  readonly document_id: string | null
  readonly actor: string
}

export type LedgerPage = {
  readonly spaceId: string
  /** Instants, ISO 8601; null is open. */
  readonly from: string | null
  readonly to: string | null
  readonly type: string | null
  /** True: consecutive settlements of one UTC day are one row, which has the balance after the last of them. */
  readonly daily: boolean
  readonly page: number
  readonly size: number
}

/** Columns of a ledger row `l`, but its amount and the number of settlements in it. */
const MOVEMENT = sql`
  l.version, l.event_id as id, l.at, l.type, l.balance_after::float8 as balance_after, l.reason, l.settlement, l.payment_id,
  l.invoice_id, l.document_id, l.actor`

const movementsIn = ({ spaceId, from, to, type }: Pick<LedgerPage, 'spaceId' | 'from' | 'to' | 'type'>) => sql`
  l.space_id = ${spaceId} and (${from}::text is null or l.at >= ${from}) and (${to}::text is null or l.at <= ${to})
  and (${type}::text is null or l.type = ${type})`

/** One page of an account's movements, newest first, and their number. */
export function pageOfLedger(db: Kysely<Db>, { daily, page, size, ...filter }: LedgerPage) {
  const found = daily
    ? sql`
        select space_id, max(version) as version, sum(amount) as amount, count(settlement) as settlements
        from (
          select l.*, count(*) filter (where l.settlement is null) over (order by l.version) as others
          from rm_account_ledger l where ${movementsIn(filter)}
        ) l
        group by space_id, others, settlement is null, case when settlement is null then null else left(at, 10) end`
    : sql`
        select l.space_id, l.version, l.amount, case when l.settlement is null then 0 else 1 end as settlements
        from rm_account_ledger l where ${movementsIn(filter)}`
  return pageAndTotal(db, {
    found,
    order: sql`page.version desc`,
    page,
    size,
    shown: sql<LedgerRow>`
      select ${MOVEMENT}, page.amount::float8 as amount, nullif(page.settlements, 0)::int as settlements
      from page join rm_account_ledger l on l.space_id = page.space_id and l.version = page.version`,
  })
}

/** Movements per query of `everyMovement`. */
const MOVEMENTS_AT_ONCE = 1000

/** Every movement of an account that the filter includes, oldest first, in batches: at most one is in memory. */
export async function* everyMovement(
  db: Kysely<Db>,
  filter: Pick<LedgerPage, 'spaceId' | 'from' | 'to' | 'type'>,
): AsyncGenerator<readonly LedgerRow[]> {
  for (let after = 0; ;) {
    const { rows } = await sql<LedgerRow>`
      select ${MOVEMENT}, l.amount::float8 as amount, case when l.settlement is null then null else 1 end as settlements
      from rm_account_ledger l where ${movementsIn(filter)} and l.version > ${after}
      order by l.version limit ${MOVEMENTS_AT_ONCE}`.execute(db)
    yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < MOVEMENTS_AT_ONCE) return
    after = last.version
  }
}

export type HistoryRow = {
  readonly version: number
  readonly id: string
  readonly at: string
  readonly actor: string
  readonly event: AccountEvent
}

/** One page of an account's history, newest first, and the number of its entries. */
export function pageOfHistory(
  db: Kysely<Db>,
  { spaceId, page, size }: { readonly spaceId: string; readonly page: number; readonly size: number },
) {
  return pageAndTotal(db, {
    found: sql`select space_id, version from rm_account_history where space_id = ${spaceId}`,
    order: sql`page.version desc`,
    page,
    size,
    shown: sql<HistoryRow>`
      select h.version, h.event_id as id, h.at, h.actor, jsonb_build_object('type', h.type, 'data', h.data) as event
      from page join rm_account_history h on h.space_id = page.space_id and h.version = page.version`,
  })
}
