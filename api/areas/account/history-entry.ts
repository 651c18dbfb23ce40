import { isTeamEvent } from '#domain/account/team'
import type { AccountEvent } from '#domain/account/account'
import { fromMicros } from '#domain/kit/money'

type Change = Extract<AccountEvent, { readonly type: 'AccountSettingsChanged' }>['data']['changes'][number]
const isOfManager = (change: Change): change is Extract<Change, { readonly setting: 'manager_id' }> =>
  change.setting === 'manager_id'

/** Ids of the people whom an event names. */
export function peopleIn(event: AccountEvent): readonly string[] {
  if (event.type === 'AccountSettingsChanged')
    return event.data.changes.filter(isOfManager).flatMap(({ from, to }) => [from, to].filter((id) => id !== null))
  if (event.type === 'PeopleRecorded') return event.data.people.map(({ person_id }) => person_id)
  return isTeamEvent(event) ? [event.data.person_id] : []
}

const MONEY: readonly string[] = ['rewarded_ads_cpm_rate', 'base_bid']

/** An event of an account's history in the units of the wire, with people by name. */
export function historyEntry(event: AccountEvent, nameOf: (id: string) => string) {
  const personChange = (id: string) => ({ field: 'person', from: null, to: nameOf(id) })
  const none = { changes: [], reason: null, amount: null }
  const changeOf = ({ setting, from, to }: Change) => {
    const onWire = (value: unknown) => {
      if (typeof value === 'number' && MONEY.includes(setting)) return fromMicros(value)
      return typeof value === 'string' && setting === 'manager_id' ? nameOf(value) : value
    }
    return { field: setting, from: onWire(from), to: onWire(to) }
  }
  switch (event.type) {
    case 'FundsCredited':
    case 'FundsCorrected':
      return { ...none, amount: fromMicros(event.data.amount), reason: event.data.reason }
    case 'CreditLimitChanged':
      return { ...none, amount: fromMicros(event.data.credit_limit) }
    case 'AccountSettingsChanged':
      return { ...none, changes: event.data.changes.map(changeOf) }
    case 'AccountRenamed':
      return { ...none, changes: [{ field: 'name', from: null, to: event.data.name }] }
    case 'LegalEntityChanged':
      return { ...none, changes: event.data.fields.map((field) => ({ field, from: null, to: null })) }
    case 'AccountSuspended':
    case 'AccountRestored':
      return { ...none, reason: event.data.reason }
    case 'PaymentReceived':
    case 'CreditNoteIssued':
    case 'RefundReversed':
    case 'DisputeWon':
    case 'TaxReversed':
      return { ...none, amount: fromMicros(event.data.amount) }
    case 'PaymentRefunded':
    case 'PaymentDisputed':
    case 'TaxCharged':
      return { ...none, amount: -fromMicros(event.data.amount) }
    case 'PersonRolesChanged':
      return {
        ...none,
        changes: [{ field: 'roles', from: event.data.from, to: event.data.to }, personChange(event.data.person_id)],
      }
    case 'PersonRightChanged': {
      const { person_id, right, to, until } = event.data
      const ends = until === null ? [] : [{ field: 'right_until', from: null, to: until }]
      return {
        ...none,
        changes: [{ field: `right_${to}`, from: null, to: right }, ...ends, personChange(person_id)],
      }
    }
    case 'PersonInvited':
      return { ...none, changes: [{ field: 'roles', from: null, to: event.data.roles }, personChange(event.data.person_id)] }
    case 'InvitationRepeated':
    case 'InvitationWithdrawn':
    case 'PersonJoined':
    case 'PersonDeactivated':
    case 'PersonReactivated':
      return { ...none, changes: [personChange(event.data.person_id)] }
    case 'PeopleRecorded':
      return { ...none, changes: event.data.people.map(({ person_id }) => personChange(person_id)) }
    case 'AccountOpened':
    case 'SpendSettled':
    case 'FundsAssigned':
    case 'FundsReleased':
    case 'BalanceNoticesChanged':
    case 'CardAdded':
    case 'CardRemoved':
    case 'DefaultCardChanged':
    case 'AutoRefillStopped':
      return none
    case 'AutoRefillChanged':
      return { ...none, amount: fromMicros(event.data.amount) }
  }
}
