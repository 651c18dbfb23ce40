import { type Decision, happened, rejected } from '#domain/kit/decision'
import { eventDecoder, FIRST, type EventSchemas } from '../kit/event-schema.ts'
import { fault } from '../kit/faults.ts'
import { isShownName } from '../kit/validators.ts'
import { MOST_MICROS, type Micros } from '../kit/money.ts'
import {
  CARD_EVENTS,
  decideCards,
  evolveCards,
  isCardCommand,
  isCardEvent,
  type CardCommand,
  type CardEvent,
  type CardsState,
} from './cards.ts'
import { noticesOf, type BalanceNotice } from './low-balance.ts'
import {
  decideMovement,
  evolveFunds,
  isMovementEvent,
  MOVEMENT_EVENTS,
  type FundsState,
  type MovementCommand,
  type MovementEvent,
} from './movements.ts'
import {
  DEFAULT_SETTINGS,
  SETTING_TEXT,
  settingChanges,
  settingFaults,
  tidied,
  withChanges,
  type AccountSettings,
  type SettingChange,
} from './settings.ts'
import {
  decideTeam,
  evolveTeam,
  isTeamCommand,
  isTeamEvent,
  TEAM_EVENTS,
  type TeamCommand,
  type TeamEvent,
  type TeamState,
} from './team.ts'

/** An advertiser's account, called a space on the wire; every white-label has one house space for its staff. */

export const ACCOUNT_STREAMS = 'account-'
export const accountStream = (spaceId: string): string => `${ACCOUNT_STREAMS}${spaceId}`

// ── Events ──

export type AccountEvent =
  | {
      readonly type: 'AccountOpened'
      readonly data: {
        readonly space_id: string
        readonly whitelabel_id: string
        readonly name: string
        readonly currency: string
        readonly house: boolean
      }
    }
  | MovementEvent
  | CardEvent
  | TeamEvent
  | { readonly type: 'CreditLimitChanged'; readonly data: { readonly credit_limit: Micros } }
  /** The low balances that hold for the account from now on; none once they are over. */
  | {
      readonly type: 'BalanceNoticesChanged'
      readonly data: { readonly notices: readonly BalanceNotice[]; readonly available: Micros }
    }
  | { readonly type: 'AccountSettingsChanged'; readonly data: { readonly changes: readonly SettingChange[] } }
  | { readonly type: 'AccountRenamed'; readonly data: { readonly name: string } }
  /** The values themselves are personal data: `identity.legal_entities` holds them. */
  | { readonly type: 'LegalEntityChanged'; readonly data: { readonly fields: readonly LegalField[] } }
  | { readonly type: 'AccountSuspended'; readonly data: { readonly reason: string } }
  | { readonly type: 'AccountRestored'; readonly data: { readonly reason: string } }

/** Characters of an account's name, at most. */
export const ACCOUNT_NAME = 255

/** Fields of the legal entity, as on the wire. */
export const LEGAL_FIELDS = [
  'legal_entity_name',
  'tin_number',
  'address_line_1',
  'address_line_2',
  'city',
  'postal_code',
  'country',
  'invoice_email',
] as const
export type LegalField = (typeof LEGAL_FIELDS)[number]

export const ACCOUNT_EVENTS: EventSchemas<AccountEvent> = {
  AccountOpened: FIRST,
  ...MOVEMENT_EVENTS,
  ...CARD_EVENTS,
  ...TEAM_EVENTS,
  CreditLimitChanged: FIRST,
  BalanceNoticesChanged: FIRST,
  AccountSettingsChanged: FIRST,
  AccountRenamed: FIRST,
  LegalEntityChanged: FIRST,
  AccountSuspended: FIRST,
  AccountRestored: FIRST,
}

/** An account's event from its stored bytes. */
export const decodeAccountEvent = eventDecoder<AccountEvent>(ACCOUNT_EVENTS)

// ── State ──

export type AccountState = FundsState &
  CardsState &
  TeamState & {
    readonly space_id: string
    readonly whitelabel_id: string
    readonly name: string
    readonly currency: string
    readonly credit_limit: Micros
    /** Notices of a low balance that hold, the most urgent first. */
    readonly notices: readonly BalanceNotice[]
    /** Absent until the first change; see `settingsOf`. */
    readonly settings?: AccountSettings
    /** Absent until the first suspension. A suspended account serves nothing, and its users cannot sign in. */
    readonly suspended?: boolean
  }

export const settingsOf = (state: AccountState): AccountSettings => state.settings ?? DEFAULT_SETTINGS
export const isSuspended = (state: AccountState): boolean => state.suspended === true

export const initial: AccountState = {
  opened: false,
  space_id: '',
  whitelabel_id: '',
  name: '',
  currency: 'USD',
  house: false,
  balance: 0,
  credit_limit: 0,
  settlements: 0,
  notices: [],
}

export function evolve(state: AccountState, event: AccountEvent): AccountState {
  if (isMovementEvent(event)) return evolveFunds(state, event)
  if (isCardEvent(event)) return evolveCards(state, event)
  if (isTeamEvent(event)) return evolveTeam(state, event)
  switch (event.type) {
    case 'AccountOpened':
      return { ...state, ...event.data, opened: true }
    case 'CreditLimitChanged':
      return { ...state, credit_limit: event.data.credit_limit }
    case 'BalanceNoticesChanged':
      return { ...state, notices: event.data.notices }
    case 'AccountSettingsChanged':
      return { ...state, settings: withChanges(settingsOf(state), event.data.changes) }
    case 'AccountRenamed':
      return { ...state, name: event.data.name }
    case 'LegalEntityChanged':
      return state
    case 'AccountSuspended':
      return { ...state, suspended: true }
    case 'AccountRestored':
      return { ...state, suspended: false }
  }
}

// ── Commands ──

export type AccountCommand =
  | {
      readonly type: 'OpenAccount'
      readonly spaceId: string
      readonly whitelabelId: string
      readonly name: string
      readonly currency: string
      readonly house: boolean
    }
  | MovementCommand
  | CardCommand
  | TeamCommand
  /** Records nothing: the answer holds the state. */
  | { readonly type: 'ReadAccount' }
  | { readonly type: 'SetCreditLimit'; readonly creditLimit: Micros }
  | { readonly type: 'NoteFunds'; readonly available: Micros; readonly daily: Micros }
  | { readonly type: 'ChangeSettings'; readonly settings: Partial<AccountSettings> }
  /** `isFree`: no other account of the white-label has the name. */
  | { readonly type: 'RenameAccount'; readonly name: string; readonly isFree: boolean }
  /** Both in one commit: whom invoices name, and the tax that they have. */
  | {
      readonly type: 'ChangeLegalEntity'
      readonly fields: readonly LegalField[]
      readonly tax: Partial<Pick<AccountSettings, 'tax_mode' | 'tax_rate'>>
    }
  | { readonly type: 'SuspendAccount'; readonly reason: string }
  | { readonly type: 'RestoreAccount'; readonly reason: string }

const NOT_FOUND: Decision<AccountEvent> = rejected(110)
const refused = (path: string, key: Parameters<typeof fault>[2], params?: Parameters<typeof fault>[3]): Decision<AccountEvent> =>
  rejected(2, [fault(path, 2, key, params)])

/**
 * Opening twice changes nothing. Refuses an account that was never opened (110) and a negative credit limit (2). Notices of a low balance are recorded when they change.
 * Settings that stay the same are not recorded. Suspending and restoring need a reason (1301), a repeat changes nothing, and the
 * house space of a white-label cannot be suspended (3). A name is text that shows (1410, 2), of no other account (1411).
 */
export function decide(command: AccountCommand, state: AccountState): Decision<AccountEvent> {
  if (isCardCommand(command)) return decideCards(command, state)
  if (isTeamCommand(command)) return decideTeam(command, state)
  switch (command.type) {
    case 'OpenAccount': {
      if (state.opened) return happened()
      const { spaceId: space_id, whitelabelId: whitelabel_id, name, currency, house } = command
      return happened({ type: 'AccountOpened', data: { space_id, whitelabel_id, name, currency, house } })
    }
    case 'SetCreditLimit': {
      if (!state.opened) return NOT_FOUND
      const { creditLimit } = command
      if (!(creditLimit >= 0)) return refused('credit_limit', 'positiveNumber')
      if (creditLimit > MOST_MICROS) return refused('credit_limit', 'fundsTooLarge')
      return creditLimit === state.credit_limit
        ? happened()
        : happened({ type: 'CreditLimitChanged', data: { credit_limit: creditLimit } })
    }
    case 'NoteFunds': {
      if (!state.opened) return NOT_FOUND
      const notices = wasFunded(state, command.available) ? noticesOf(command, state.notices) : []
      return notices.join() === state.notices.join()
        ? happened()
        : happened({ type: 'BalanceNoticesChanged', data: { notices, available: command.available } })
    }
    case 'ChangeSettings': {
      if (!state.opened) return NOT_FOUND
      const before = settingsOf(state)
      const after = tidied({ ...before, ...command.settings })
      const faults = settingFaults(after)
      if (faults.length > 0) return rejected(2, faults)
      const changes = settingChanges(before, after)
      return changes.length === 0 ? happened() : happened({ type: 'AccountSettingsChanged', data: { changes } })
    }
    case 'RenameAccount':
      return renamed(command, state)
    case 'ChangeLegalEntity': {
      if (!state.opened) return NOT_FOUND
      const { fields, tax } = command
      const before = settingsOf(state)
      const after = { ...before, ...tax }
      const faults = settingFaults(after)
      if (faults.length > 0) return rejected(2, faults)
      const changes = settingChanges(before, after)
      return happened(
        ...(fields.length === 0 ? [] : [{ type: 'LegalEntityChanged', data: { fields } } as const]),
        ...(changes.length === 0 ? [] : [{ type: 'AccountSettingsChanged', data: { changes } } as const]),
      )
    }
    case 'SuspendAccount':
      return suspension(command.reason, state, true)
    case 'RestoreAccount':
      return suspension(command.reason, state, false)
    case 'ReadAccount':
      return state.opened ? happened() : NOT_FOUND
    case 'CreditFunds':
    case 'CheckRoom':
    case 'ReceivePayment':
    case 'RefundPayment':
    case 'ReverseRefund':
    case 'DisputePayment':
    case 'WinDispute':
    case 'CreditInvoice':
    case 'ChargeTax':
    case 'ReverseTax':
    case 'AssignFunds':
    case 'ReleaseFunds':
      return decideMovement(command, state)
  }
}

/** A name as it is stored: without the spaces around it, and accents composed. */
export const shapedAccountName = (name: string): string => name.normalize('NFC').trim()

function renamed(
  { name: given, isFree }: Extract<AccountCommand, { type: 'RenameAccount' }>,
  state: AccountState,
): Decision<AccountEvent> {
  const name = shapedAccountName(given)
  if (!state.opened) return NOT_FOUND
  if (name === '') return rejected(1410, [fault('name', 1410, 'required')])
  if (name.length > ACCOUNT_NAME) return refused('name', 'maxLength', { max: ACCOUNT_NAME })
  if (!isShownName(name)) return refused('name', 'shownName')
  if (name === state.name) return happened()
  if (!isFree) return rejected(1411, [fault('name', 1411, 'accountNameTaken')])
  return happened({ type: 'AccountRenamed', data: { name } })
}

function suspension(given: string, state: AccountState, suspends: boolean): Decision<AccountEvent> {
  const reason = given.trim()
  if (!state.opened) return NOT_FOUND
  if (reason === '') return rejected(1301, [fault('reason', 1301, 'required')])
  if (reason.length > SETTING_TEXT) return refused('reason', 'maxLength', { max: SETTING_TEXT })
  if (isSuspended(state) === suspends) return happened()
  if (state.house) return rejected(3)
  return happened({ type: suspends ? 'AccountSuspended' : 'AccountRestored', data: { reason } })
}

/** An account that never had money is new, not low. */
const wasFunded = ({ balance, credit_limit, settlements }: AccountState, available: Micros): boolean =>
  balance !== 0 || credit_limit !== 0 || settlements > 0 || available !== 0
