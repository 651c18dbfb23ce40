import { PERSON_STATUS } from '#domain/registration/person-status'
import { legalEntityOf, staffOf, usersOf } from '#projections/account/people'
import type { LegalEntities } from '#platform/account/legal-entities'
import { actorNamer } from '#commands/identity/person'
import type { FastifyInstance } from 'fastify'
import type { AccountCommand, AccountEvent, LegalField } from '#domain/account/account'
import { LEGAL_FIELDS, settingsOf, shapedAccountName } from '#domain/account/account'
import { DEFAULT_SETTINGS, type AccountSettings } from '#domain/account/settings'
import { isTeamEvent } from '#domain/account/team'
import { fault, unitsFault } from '#domain/kit/faults'
import { reachOf, rolesWith, type Action, type Actor } from '#domain/kit/access'
import type { ErrorCode, Fault } from '#domain/kit/errors'
import { systemContext } from '#domain/kit/event-metadata'
import { isEmail, isShownName } from '#domain/kit/validators'
import { isCountryCode } from '#domain/white-label/invoicing'
import { fromMicros, toMicros } from '#domain/kit/money'
import { pageOfHistory, type HistoryRow } from '#projections/account/accounts'
import { findInDirectory } from '#projections/account/directory'
import * as contract from '#contract/accounts'
import { asOf } from '../as-of.ts'
import { accountOf, authorize, contextOf, type Caller } from '#api/http/caller'
import type { Served } from '#api/areas/services'
import { callerOf, personOf } from '#api/http/person'
import { noteChanges } from '#api/http/recorded-changes'
import { Refused, refused } from '#commands/refused'
import { register } from '#api/http/register'
import { recordOut } from './record.ts'
import type { ReserveAccountName } from '#platform/account/names'
import type { Suspensions } from '#platform/account/suspensions'

const HISTORY_PAGE = 25
const SELLER_NAME = 'Set the legal name in the invoicing settings of the white-label, where a second person confirms it'

type AccountStores = {
  readonly entities: LegalEntities
  readonly suspensions: Suspensions
  readonly reserveName: ReserveAccountName
}

/** One account: its record, people and history, and what staff change. */
export function registerAccountRoutes(
  app: FastifyInstance,
  kit: Served<'accounts' | 'commands.accounts' | 'db' | 'past' | 'people' | 'secondPerson' | 'store' | 'whiteLabels'>,
  { entities, suspensions, reserveName }: AccountStores,
): void {
  const { accounts, commands, db, derivedId, guards, newId, people, secondPerson, store, whiteLabels } = kit

  async function accountFor(actor: Actor, id: string, action: Action) {
    const account = await accounts.find(id)
    authorize(actor, action, account === null ? null : { spaceId: id, whitelabelId: account.whitelabel_id }, 110)
    // Not null: `authorize` refuses a missing place.
    if (account === null) throw refused(110)
    return account
  }

  async function execute(
    caller: Caller,
    spaceId: string,
    whitelabelId: string,
    command: AccountCommand,
    action: Action = 'account.manage',
  ) {
    const context = contextOf(caller, { spaceId, whitelabelId }, action)
    const outcome = await commands.accounts.execute(spaceId, context, command)
    if (outcome.kind === 'rejected') throw new Refused(outcome.rejection)
    return outcome
  }

  /** A user of an account in reach: the home space is the account. */
  async function userFor(actor: Actor, id: string, action: Action, missing: ErrorCode) {
    const person = await people.find(id)
    const spaceId = accountOf(actor, id, person)
    const place = person === null || spaceId === null ? null : { spaceId, whitelabelId: person.whitelabel_id }
    authorize(actor, action, place, missing)
    return place
  }

  register(app, guards, contract.adminUser, async (call) => {
    const { id } = call.params
    await userFor(personOf(call), id, 'account.list', 7)
    const row = await findInDirectory(db, { userId: id })
    if (row === null) throw refused(7)
    return recordOut(row)
  })

  register(app, guards, contract.accountDetails, async (call) => {
    const { id } = call.params
    await accountFor(personOf(call), id, 'account.list')
    const one = { whitelabelId: null, spaceId: id }
    const row = await asOf(kit, call, { accounts: one, campaigns: one }, (then) => findInDirectory(then.db, { spaceId: id }))
    if (row === null) throw refused(110)
    return recordOut(row)
  })

  register(app, guards, contract.getSpace, async (call) => {
    const account = await accountFor(personOf(call), call.params.id, 'account.read')
    return {
      space_id: account.space_id,
      space_name: account.name,
      whitelabel_id: account.whitelabel_id,
      currency: account.currency,
      house: account.house,
      created_at: account.created_at,
      suspended: account.suspended,
      rewarded_ads_cpm_rate: fromMicros(account.settings.rewarded_ads_cpm_rate),
      allow_make_payment: account.settings.allow_make_payment,
    }
  })

  register(app, guards, contract.spaceAccount, async (call) => {
    const account = await accountFor(personOf(call), call.params.id, 'account.read')
    const owner = await findInDirectory(db, { spaceId: account.space_id })
    return {
      id: owner?.user_id ?? null,
      first_name: owner?.first_name ?? null,
      last_name: owner?.last_name ?? null,
      currency: account.currency,
      picture: owner?.picture_id ? { picture_id: owner.picture_id } : null,
    }
  })

  register(app, guards, contract.accountPeople, async (call) => {
    const { space_id: id } = await accountFor(personOf(call), call.params.id, 'account.list')
    const users = await usersOf(db, id, personOf(call).roles)
    return { people: users }
  })

  register(app, guards, contract.staff, async (call) => {
    const actor = personOf(call)
    const asked = call.query.whitelabel_id ?? actor.whitelabelId
    if (asked !== actor.whitelabelId && reachOf(actor, 'account.manage') !== 'all') throw refused(1420)
    const staff = await staffOf(db, asked, actor.roles)
    return { people: staff }
  })

  register(app, guards, contract.accountHistory, async (call) => {
    const actor = personOf(call)
    const account = await accountFor(actor, call.params.id, 'account.audit')
    const page = call.query.page ?? 0
    const { rows, total } = await pageOfHistory(db, { spaceId: account.space_id, page, size: HISTORY_PAGE })
    const managers = rows.flatMap(({ event }) =>
      event.type === 'AccountSettingsChanged' ? event.data.changes.filter(isOfManager).flatMap(({ from, to }) => [from, to]) : [],
    )
    const members = rows.flatMap(({ event }) => peopleIn(event))
    const ids = [...rows.map((row) => row.actor), ...managers, ...members].filter(
      (id): id is string => id !== null && !id.startsWith('system:'),
    )
    const known = await people.namesOf([...new Set(ids)])
    const nameOf = actorNamer(actor, account.space_id, known)
    return {
      current_page: page,
      page_size: HISTORY_PAGE,
      total_size: total,
      data: rows.map((row) => ({
        id: row.id,
        at: row.at,
        type: row.event.type,
        actor: { id: row.actor.startsWith('system:') ? null : row.actor, name: nameOf(row.actor, row.event.type) },
        ...saidOf(row, (id) => known.get(id)?.name ?? id),
      })),
    }
  })

  register(app, guards, contract.changeSettings, async (call) => {
    const { id } = call.params
    const caller = callerOf(call)
    const account = await accountFor(caller.actor, id, 'account.manage')
    const settings = await settingsFrom(call.body, account.whitelabel_id)
    const outcome = await execute(caller, id, account.whitelabel_id, { type: 'ChangeSettings', settings })
    const changed = outcome.events.flatMap((event) =>
      event.type === 'AccountSettingsChanged' ? event.data.changes.map(({ setting }) => setting) : [],
    )
    return { space_id: id, changed, position: String(outcome.position) }
  })

  /** The settings of a call in the units of the domain; refuses amounts and managers that cannot be. */
  async function settingsFrom(sent: contract.SettingsInput, whitelabelId: string): Promise<Partial<AccountSettings>> {
    const { base_bid, rewarded_ads_cpm_rate: rate, manager_id: manager, account_type: type, ...others } = sent
    const faults: Fault[] = []
    const micros = (path: string, amount: number) => {
      const value = toMicros(amount)
      if (value === null) faults.push(unitsFault(path, amount))
      return value ?? 1
    }
    if (manager) {
      const person = await people.find(manager)
      const isManager =
        person !== null &&
        person.whitelabel_id === whitelabelId &&
        person.status_key === PERSON_STATUS.active &&
        person.roles.some((role) => rolesWith('account.represent').some((known) => known === role))
      if (!isManager) faults.push({ ...fault('manager_id', 2, 'notAllowed') })
    }
    const settings = {
      ...others,
      ...(type === undefined ? {} : { account_type: type as AccountSettings['account_type'] }),
      ...(manager === undefined ? {} : { manager_id: manager }),
      ...(base_bid === undefined ? {} : { base_bid: base_bid === null ? null : micros('base_bid', base_bid) }),
      ...(rate === undefined ? {} : { rewarded_ads_cpm_rate: micros('rewarded_ads_cpm_rate', rate) }),
    }
    if (faults.length > 0) throw new Refused({ code: 2, faults })
    return Object.fromEntries(
      Object.entries(settings).filter(([name, value]) => value !== undefined && name in DEFAULT_SETTINGS),
    ) as Partial<AccountSettings>
  }

  register(app, guards, contract.renameAccount, async (call) => {
    const { id } = call.params
    const caller = callerOf(call)
    const { whitelabel_id: whitelabelId } = await accountFor(caller.actor, id, 'account.rename')
    const isFree = await reserveName({ whitelabelId, spaceId: id, name: shapedAccountName(call.body.name) })
    const outcome = await execute(
      caller,
      id,
      whitelabelId,
      { type: 'RenameAccount', name: call.body.name, isFree },
      'account.rename',
    )
    return { space_id: id, space_name: outcome.state.name, position: String(outcome.position) }
  })

  register(app, guards, contract.changeCreditLimit, async (call, reply) => {
    const { id } = call.params
    const caller = callerOf(call)
    const account = await accountFor(caller.actor, id, 'account.manage')
    const creditLimit = toMicros(call.body.credit_limit)
    if (creditLimit === null) throw refused(2, [unitsFault('credit_limit', call.body.credit_limit)])
    const { whitelabel_id: whitelabelId } = account
    const { userId } = caller.actor
    const counted = await countRaise()
    if (counted?.alone === false) {
      const command = { kind: 'credit_limit', amount: creditLimit, comment: '' } as const
      if (!(await secondPerson.ask({ id: counted.id, whitelabelId, spaceId: id, userId, command }))) throw refused(134)
      const waiting = { stage: 'pending', approval_id: counted.id, position: String(await store.head()) } as const
      return { space_id: id, credit_limit: fromMicros(counted.present), ...waiting }
    }
    try {
      const { state, position } = await execute(caller, id, whitelabelId, { type: 'SetCreditLimit', creditLimit })
      if (counted !== null) {
        const to = fromMicros(state.credit_limit)
        noteChanges(reply.request, [{ field: 'credit_limit', from: fromMicros(counted.present), to }])
        await secondPerson.mailOthers({ id: counted.id, whitelabelId, what: 'credit_limit', by: [userId] })
      }
      const applied = { stage: 'applied', approval_id: null, position: String(position) } as const
      return { space_id: id, credit_limit: fromMicros(state.credit_limit), ...applied }
    } catch (error) {
      if (counted?.fresh === true) await secondPerson.uncount(counted.id)
      throw error
    }

    /** Counts a raise as money by hand (fine print 63); null for a limit that is not higher. */
    async function countRaise() {
      // From the account's own stream: the read model may not have the last raise so far.
      const read = await commands.accounts.execute(id, systemContext('credit-limits', newId()), { type: 'ReadAccount' })
      if (read.kind === 'rejected') throw new Refused(read.rejection)
      const present = read.state.credit_limit
      const amount = (creditLimit ?? 0) - present
      if (amount <= 0) return null
      const approvalId = derivedId('by-hand', caller.commandId)
      const one = { id: approvalId, whitelabelId, spaceId: id, userId, kind: 'credit_limit', amount } as const
      return { ...(await secondPerson.count(one)), id: approvalId, present }
    }
  })

  /** Whether invoices name the legal entity of this account as their seller, which a second person confirms (fine print 63). */
  async function isSeller({ spaceId, whitelabelId }: { readonly spaceId: string; readonly whitelabelId: string }) {
    const label = whiteLabels.find(whitelabelId)
    if (label === null || label.settings.payment_approval_limit === null || label.invoicing.legal_name !== '') return false
    return (await accounts.opened(spaceId))?.house === true
  }

  register(app, guards, contract.changeLegalEntity, async (call) => {
    const caller = callerOf(call)
    const { user_id } = call.body
    const place = await userFor(caller.actor, user_id, 'account.manage', 7)
    const entity = await legalEntityOf(db, place.spaceId)
    const valueOf = (field: LegalField): string => (call.body[field] ?? entity?.[field] ?? '').trim()
    const sent = Object.fromEntries(LEGAL_FIELDS.map((field) => [field, valueOf(field)])) as Record<LegalField, string>
    sent.country = sent.country.toUpperCase()
    const faults = [
      ...LEGAL_FIELDS.filter((field) => !isShownName(sent[field])).map((field) => fault(field, 2, 'shownName')),
      ...(sent.country === '' || isCountryCode(sent.country) ? [] : [fault('country', 2, 'notAllowed')]),
      ...(sent.invoice_email === '' || isEmail(sent.invoice_email) ? [] : [fault('invoice_email', 2, 'notAllowed')]),
    ]
    if (faults.length > 0) throw new Refused({ code: 2, faults })
    const fields = LEGAL_FIELDS.filter((field) => sent[field] !== (entity?.[field] ?? ''))
    if (fields.includes('legal_entity_name') && (await isSeller(place)))
      throw refused(2, [{ ...fault('legal_entity_name', 2, 'notAllowed'), message: SELLER_NAME }])
    const { tax_mode, tax_rate } = call.body
    const tax = {
      ...(tax_mode === undefined ? {} : { tax_mode }),
      // A rate of the account's own has no meaning without its own tax.
      ...(tax_mode === null || tax_mode === 'none' ? { tax_rate: null } : tax_rate === undefined ? {} : { tax_rate }),
    }
    const outcome = await execute(caller, place.spaceId, place.whitelabelId, { type: 'ChangeLegalEntity', fields, tax })
    // After the event: a command that crashed in between is repeated, and stores it then.
    await entities.store(place.spaceId, sent)
    const settings = settingsOf(outcome.state)
    return {
      user_id,
      ...sent,
      tax_mode: settings.tax_mode,
      tax_rate: settings.tax_rate,
      position: String(outcome.position),
    }
  })

  async function suspend(
    call: Parameters<typeof callerOf>[0],
    id: string,
    type: 'SuspendAccount' | 'RestoreAccount',
    reason: string,
  ) {
    const caller = callerOf(call)
    const account = await accountFor(caller.actor, id, 'account.manage')
    const { state, revision, position } = await execute(caller, id, account.whitelabel_id, { type, reason })
    const suspended = state.suspended === true
    // The policies do the same after a crash between the event and this.
    await suspensions.apply({ spaceId: id, suspended, revision })
    return { space_id: id, suspended, position: String(position) }
  }
  register(app, guards, contract.suspendAccount, async (call) =>
    suspend(call, call.params.id, 'SuspendAccount', call.body.reason),
  )
  register(app, guards, contract.restoreAccount, async (call) =>
    suspend(call, call.params.id, 'RestoreAccount', call.body.reason),
  )
}

type Change = Extract<AccountEvent, { readonly type: 'AccountSettingsChanged' }>['data']['changes'][number]
const isOfManager = (change: Change): change is Extract<Change, { readonly setting: 'manager_id' }> =>
  change.setting === 'manager_id'

/** The people whom an event names. */
const peopleIn = (event: AccountEvent): readonly string[] => {
  if (event.type === 'PeopleRecorded') return event.data.people.map(({ person_id }) => person_id)
  return isTeamEvent(event) ? [event.data.person_id] : []
}

const MONEY: readonly string[] = ['rewarded_ads_cpm_rate', 'base_bid']

/** Changes of an event, in the units of the wire and with managers by name. */
function saidOf({ event }: HistoryRow, nameOf: (id: string) => string) {
  const personChange = (id: string) => ({ field: 'person', from: null, to: nameOf(id) })
  const none = { changes: [], reason: null, amount: null }
  const shown = ({ setting, from, to }: Change) => {
    const one = (value: unknown) => {
      if (typeof value === 'number' && MONEY.includes(setting)) return fromMicros(value)
      return typeof value === 'string' && setting === 'manager_id' ? nameOf(value) : value
    }
    return { field: setting, from: one(from), to: one(to) }
  }
  switch (event.type) {
    case 'FundsCredited':
    case 'FundsCorrected':
      return { ...none, amount: fromMicros(event.data.amount), reason: event.data.reason }
    case 'CreditLimitChanged':
      return { ...none, amount: fromMicros(event.data.credit_limit) }
    case 'AccountSettingsChanged':
      return { ...none, changes: event.data.changes.map(shown) }
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
