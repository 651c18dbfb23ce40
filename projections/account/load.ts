import { ACCOUNT_STREAMS, decodeAccountEvent } from '#domain/account/account'
import { decodeLedgerEvent, LEDGER_STREAMS, spaceOfLedger } from '#domain/account/ledger'
import { movementOf, movementType, type MovementEvent } from '#domain/account/movements'
import { readMetadata, type Metadata } from '#domain/kit/event-metadata'
import type { StoredEvent } from '#eventstore/event-store'
import { copyRows } from '#eventstore/postgres/copy-rows'
import type { Loader } from '../projector/read-model.ts'
import { copyOf, type RowOf } from '../projector/table.ts'
import { behind, isMovement, OF_POLICIES, type AccountTables, type Changing } from './accounts.ts'

/** A row of `accounts`. Sums are exact beyond what a number holds. */
type Account = Mutable<RowOf<AccountTables['accounts']>> & Record<'balance' | 'spent' | 'assigned' | 'taxed', bigint>
type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/**
 * Loads the rows of `applyAccounts`. Accounts stay in memory until the end, a few hundred bytes each, since an account has a
 * movement every few minutes; movements and history are written as they come.
 */
export function loadAccounts(tables: AccountTables): Loader {
  const accounts = new Map<string, Account>()
  let ledger = copyOf(tables.account_ledger)
  let history = copyOf(tables.account_history)

  function move(account: Account, stored: StoredEvent, meta: Metadata, event: MovementEvent): void {
    moveBy(account, event)
    const type = movementType(event)
    if (type === null) return
    account.movements += 1
    ledger.add({
      reason: null,
      settlement: null,
      payment_id: null,
      invoice_id: null,
      document_id: null,
      ...behind(event),
      space_id: account.space_id,
      version: account.movements,
      event_id: stored.id,
      at: meta.at,
      type,
      amount: movementOf(event),
      balance_after: account.balance,
      actor: meta.actor,
    })
  }

  function ofBooks(stored: StoredEvent): void {
    const event = decodeLedgerEvent(stored)
    const account = accounts.get(spaceOfLedger(stored.stream))
    if (event.type !== 'SpendSettled' || account === undefined || account.settlements >= event.data.settlement) return
    move(account, stored, readMetadata(stored.metadata), event)
  }

  function ofAccount(stored: StoredEvent): void {
    const event = decodeAccountEvent(stored)
    const meta = readMetadata(stored.metadata)
    const spaceId = stored.stream.slice(ACCOUNT_STREAMS.length)
    const { version } = stored
    if (!OF_POLICIES.has(event.type))
      history.add({
        space_id: spaceId,
        version,
        event_id: stored.id,
        at: meta.at,
        type: event.type,
        actor: meta.actor,
        data: event.data,
      })
    if (event.type === 'AccountOpened') {
      const { space_id } = event.data
      if (!accounts.has(space_id)) accounts.set(space_id, { ...NEW, ...event.data, created_at: meta.at, version })
      return
    }
    const account = accounts.get(spaceId)
    if (account === undefined || account.version >= version) return
    account.version = version
    if (isMovement(event)) move(account, stored, meta, event)
    else change(account, event, meta)
  }

  return {
    add(events) {
      for (const stored of events)
        if (stored.stream.startsWith(LEDGER_STREAMS)) ofBooks(stored)
        else if (stored.stream.startsWith(ACCOUNT_STREAMS)) ofAccount(stored)
      return Promise.resolve()
    },
    take(all) {
      const [movements, entries] = [ledger.end(), history.end()]
      ledger = copyOf(tables.account_ledger)
      history = copyOf(tables.account_history)
      const rows = copyOf(tables.accounts)
      if (all) for (const account of accounts.values()) rows.add(account)
      return async (db) => {
        await copyRows(db, tables.account_ledger.name, movements)
        await copyRows(db, tables.account_history.name, entries)
        await copyRows(db, tables.accounts.name, rows.end())
      }
    },
  }
}

const NEW = {
  balance: 0n,
  credit_limit: 0,
  settlements: 0,
  movements: 0,
  notices: [],
  spent: 0n,
  assigned: 0n,
  taxed: 0n,
  settings: {},
  suspended: false,
  suspended_at: null,
  suspended_reason: null,
  suspension_revision: 0,
}

/** `movedBy` of `accounts.ts`. */
function moveBy(account: Account, event: MovementEvent): void {
  const moved = BigInt(movementOf(event))
  switch (event.type) {
    case 'SpendSettled':
      account.balance += moved
      account.spent += BigInt(event.data.amount)
      account.settlements = event.data.settlement
      return
    case 'TaxCharged':
    case 'TaxReversed':
      account.balance += moved
      account.taxed -= moved
      return
    case 'FundsAssigned':
      account.assigned += BigInt(event.data.amount)
      return
    case 'FundsReleased':
      account.assigned -= BigInt(event.data.amount)
      return
    case 'FundsCredited':
    case 'FundsCorrected':
    case 'PaymentReceived':
    case 'PaymentRefunded':
    case 'RefundReversed':
    case 'PaymentDisputed':
    case 'DisputeWon':
    case 'CreditNoteIssued':
      account.balance += moved
      return
  }
}

/** `changeOf` of `accounts.ts`. */
function change(account: Account, event: Exclude<Changing, MovementEvent>, { at, revision }: Metadata): void {
  switch (event.type) {
    case 'CreditLimitChanged':
      account.credit_limit = event.data.credit_limit
      return
    case 'BalanceNoticesChanged':
      account.notices = event.data.notices
      return
    case 'AccountSettingsChanged':
      account.settings = {
        ...account.settings,
        ...Object.fromEntries(event.data.changes.map(({ setting, to }) => [setting, to])),
      }
      return
    case 'AccountRenamed':
      account.name = event.data.name
      return
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
      return
    case 'AccountSuspended':
    case 'AccountRestored': {
      const suspended = event.type === 'AccountSuspended'
      account.suspended = suspended
      account.suspended_at = suspended ? at : null
      account.suspended_reason = event.type === 'AccountSuspended' ? event.data.reason : null
      account.suspension_revision = revision
      return
    }
  }
}
