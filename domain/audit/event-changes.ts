import { DEFAULT_CONTENT } from '../campaign/content/content.ts'
import type { CampaignEvent } from '../campaign/events.ts'
import { contentChanges } from '../campaign/log-state.ts'
import type { SettingChange } from '../account/settings.ts'
import type { EVERY_EVENT } from '../every-event.ts'
import { equal, type Change, type JsonObject } from '../kit/json-changes.ts'
import { own } from '../kit/own.ts'

/** How the data of an event reads as changes of fields: what the audit feed shows and filters by. */

export type EventType = keyof typeof EVERY_EVENT
export type AnyEvent = { readonly type: EventType; readonly data: JsonObject }

/**
 * `content`: a campaign with its whole content. `changes`: the data lists them. `settings`: the same by the names of settings.
 * `names`: fields whose values are elsewhere. `sets`: new values, whose old ones earlier events of the subject set. `toggles`: a flag.
 * `facts`: what happened, which sets no field.
 */
type Form = 'content' | 'changes' | 'settings' | 'names' | 'sets' | 'toggles' | 'facts'

const FORMS: Readonly<Record<EventType, Form>> = {
  AccountOpened: 'sets',
  FundsCredited: 'facts',
  FundsCorrected: 'facts',
  SpendSettled: 'facts',
  PaymentReceived: 'facts',
  PaymentRefunded: 'facts',
  RefundReversed: 'facts',
  PaymentDisputed: 'facts',
  DisputeWon: 'facts',
  CreditNoteIssued: 'facts',
  TaxCharged: 'facts',
  TaxReversed: 'facts',
  FundsAssigned: 'facts',
  FundsReleased: 'facts',
  CardAdded: 'facts',
  CardRemoved: 'facts',
  DefaultCardChanged: 'sets',
  AutoRefillChanged: 'sets',
  AutoRefillStopped: 'sets',
  CreditLimitChanged: 'sets',
  BalanceNoticesChanged: 'facts',
  AccountSettingsChanged: 'settings',
  AccountRenamed: 'sets',
  LegalEntityChanged: 'names',
  PeopleRecorded: 'sets',
  PersonInvited: 'sets',
  InvitationRepeated: 'facts',
  InvitationWithdrawn: 'sets',
  PersonJoined: 'sets',
  PersonRolesChanged: 'sets',
  PersonRightChanged: 'sets',
  PersonDeactivated: 'sets',
  PersonReactivated: 'sets',
  AccountSuspended: 'toggles',
  AccountRestored: 'toggles',
  AudienceCreated: 'sets',
  AudienceVersionStarted: 'facts',
  AudienceVersionReady: 'facts',
  AudienceVersionFailed: 'facts',
  AudienceRenamed: 'sets',
  AudienceRulesChanged: 'sets',
  AudienceDeleted: 'facts',
  CampaignCreated: 'content',
  CampaignUpdated: 'changes',
  CampaignSubmitted: 'facts',
  SubmissionWithdrawn: 'facts',
  CampaignApproved: 'changes',
  CampaignRejected: 'facts',
  CampaignSwitchedOn: 'facts',
  CampaignSwitchedOff: 'facts',
  CampaignArchived: 'toggles',
  CampaignUnarchived: 'toggles',
  FlightChanged: 'facts',
  DayBudgetReached: 'facts',
  DayBudgetReopened: 'facts',
  TotalBudgetSpent: 'facts',
  TotalBudgetReopened: 'facts',
  FundingFellShort: 'facts',
  FundingRestored: 'facts',
  ServingSuspended: 'facts',
  ServingRestored: 'facts',
  ExchangeDecided: 'facts',
  CampaignLaunched: 'facts',
  CampaignCommented: 'facts',
  SecondLookTaken: 'facts',
  LedgerOpened: 'facts',
  LedgerClosed: 'facts',
  InvoiceDrafted: 'sets',
  DraftChanged: 'sets',
  DraftDeleted: 'facts',
  InvoiceIssuing: 'facts',
  IssuingCancelled: 'facts',
  InvoiceIssued: 'facts',
  InvoiceMailed: 'facts',
  PaymentLogged: 'facts',
  PaymentConfirmed: 'facts',
  PaymentDeclined: 'facts',
  PaymentApplied: 'facts',
  InvoicePaymentFailed: 'facts',
  PaymentReversed: 'facts',
  PaymentRestored: 'facts',
  RestorationRecorded: 'facts',
  ReleaseRecorded: 'facts',
  InvoiceVoided: 'facts',
  ChargesFreed: 'facts',
  InvoiceCredited: 'facts',
  CreditNoteLinked: 'facts',
  CreditNoteDocumented: 'facts',
  RegistrationSubmitted: 'facts',
  RegistrationApproved: 'facts',
  RegistrationRejected: 'facts',
  ConfirmationRequested: 'facts',
  RegistrationCompleted: 'facts',
  PaymentStarted: 'facts',
  PaymentOpened: 'facts',
  PaymentActionRequired: 'facts',
  PaymentSucceeded: 'facts',
  PaymentFailed: 'facts',
  RefundReported: 'facts',
  RefundFailed: 'facts',
  DisputeOpened: 'facts',
  DisputeClosed: 'facts',
  WhiteLabelCreated: 'sets',
  WhiteLabelBrandingChanged: 'sets',
  WhiteLabelSettingsChanged: 'sets',
  WhiteLabelInvoicingChanged: 'sets',
  WhiteLabelSuspended: 'toggles',
  WhiteLabelRestored: 'toggles',
}

/** Whether the event only says what happened: its row needs no data. */
export const isFact = (type: string): boolean => own<Form>(FORMS, type) === 'facts'

const TOGGLES: Readonly<Record<string, Change>> = {
  AccountSuspended: { path: 'suspended', from: false, to: true },
  AccountRestored: { path: 'suspended', from: true, to: false },
  WhiteLabelSuspended: { path: 'suspended', from: false, to: true },
  WhiteLabelRestored: { path: 'suspended', from: true, to: false },
  CampaignArchived: { path: 'archived', from: false, to: true },
  CampaignUnarchived: { path: 'archived', from: true, to: false },
}

/** The fields that an event of the form `sets` sets, by their paths, where they are not its data as they are. */
const SETS: Readonly<Record<string, (data: JsonObject) => JsonObject>> = {
  AccountOpened: (data) => ({ ...data, credit_limit: 0 }),
  DefaultCardChanged: ({ card_id = null }) => ({ default_card: card_id }),
  AutoRefillChanged: (data) => within('auto_refill', data),
  AutoRefillStopped: () => ({ 'auto_refill.enabled': false }),
  WhiteLabelInvoicingChanged: (data) => within('invoicing', data),
  PeopleRecorded: ({ people }) =>
    Object.assign(
      {},
      ...(people as readonly JsonObject[]).map(({ person_id = null, roles = null, state = null }) =>
        ofPerson(person_id, { roles, state }),
      ),
    ),
  PersonInvited: ({ person_id, roles = null }) => ofPerson(person_id, { roles, state: 'invited' }),
  InvitationWithdrawn: ({ person_id }) => ofPerson(person_id, { state: 'withdrawn' }),
  PersonJoined: ({ person_id }) => ofPerson(person_id, { state: 'active' }),
  PersonRolesChanged: ({ person_id, to = null }) => ofPerson(person_id, { roles: to }),
  // Null where the roles say it again.
  PersonRightChanged: ({ person_id, right, to = null, until = null }) =>
    ofPerson(person_id, {
      [ofRight('rights', right)]: to === 'role' ? null : to,
      [ofRight('rights_until', right)]: until,
    }),
  PersonDeactivated: ({ person_id }) => ofPerson(person_id, { state: 'deactivated' }),
  PersonReactivated: ({ person_id }) => ofPerson(person_id, { state: 'active' }),
}

const within = (path: string, data: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [`${path}.${key}`, value]))

const ofRight = (field: string, right: unknown): string => `${field}[${String(right)}]`

const ofPerson = (id: unknown, fields: JsonObject): JsonObject => within(`people[${String(id)}]`, fields)

/** The data of events of the form `sets` that is beside the fields. */
const BESIDE: ReadonlySet<string> = new Set<EventType>(['AutoRefillStopped'])

const setBy = ({ type, data }: AnyEvent): JsonObject => SETS[type]?.(data) ?? data

/** Values that a row of the feed keeps of an event, since its data alone does not say them. */
export type Recorded = {
  /** Paths of the changed fields, without ids of elements; null where none is set, and for a creation with its whole content. */
  readonly fields: readonly string[] | null
  /** The values before, where the event holds only the new ones; absent ones were null. */
  readonly was: JsonObject | null
  /** All values that events of the subject set so far; null where this one sets none. */
  readonly values: JsonObject | null
}

const NOTHING: Recorded = { fields: null, was: null, values: null }

/** @param values - those that earlier events of the subject set. */
export function recordedOf(event: AnyEvent, values: JsonObject): Recorded {
  const form = FORMS[event.type]
  if (form === 'facts' || form === 'content') return NOTHING
  if (form !== 'sets') return { ...NOTHING, fields: fieldsOf(changesOf(event, {})) }
  const set = setBy(event)
  // Also where the value stays: it would look like one that was set from null.
  const was = Object.keys(set).flatMap((path) => {
    const from = own(values, path) ?? null
    return from === null ? [] : [[path, from] as const]
  })
  const paths = Object.keys(set).filter((path) => !equal(own(values, path) ?? null, set[path]))
  return {
    fields: paths.length === 0 ? null : withoutIds(paths),
    was: was.length === 0 ? null : Object.fromEntries(was),
    values: { ...values, ...set },
  }
}

/** Paths without ids of elements, each once. */
const withoutIds = (paths: readonly string[]): readonly string[] => [
  ...new Set(paths.map((path) => path.replaceAll(/\[[^\]]*\]/g, ''))),
]

const fieldsOf = (changes: readonly Change[]): readonly string[] | null =>
  changes.length === 0 ? null : withoutIds(changes.map(({ path }) => path))

/**
 * Values of the event, by path: its changes, and then its facts, which go from null to their value.
 * @param was - values before the event, as its row keeps them (`Recorded`).
 */
export const auditValues = (event: AnyEvent, was: JsonObject): readonly Change[] => [...changesOf(event, was), ...factsOf(event)]

function changesOf(event: AnyEvent, was: JsonObject): readonly Change[] {
  const { type, data } = event
  switch (FORMS[type]) {
    case 'content':
    case 'changes':
      return contentChanges(event as unknown as CampaignEvent)
    case 'settings':
      return (data.changes as unknown as readonly SettingChange[]).map(({ setting, from, to }) => ({ path: setting, from, to }))
    case 'names':
      return (data.fields as readonly string[]).map((path) => ({ path, from: null, to: null }))
    case 'sets':
      return Object.entries(setBy(event))
        .map(([path, to]) => ({ path, from: own(was, path) ?? null, to }))
        .filter(({ from, to }) => !equal(from, to))
    case 'toggles': {
      const toggled = TOGGLES[type]
      return toggled === undefined ? [] : [toggled]
    }
    case 'facts':
      return []
  }
}

/** Keys of the data that the changes show. */
const SHOWN: Readonly<Partial<Record<Form, readonly string[]>>> = {
  content: ['content'],
  changes: ['changes'],
  settings: ['changes'],
  names: ['fields'],
}

function factsOf({ type, data }: AnyEvent): readonly Change[] {
  const form = FORMS[type]
  if (form === 'sets' && !BESIDE.has(type)) return []
  return Object.entries(data).flatMap(([path, to]) =>
    to === null || SHOWN[form]?.includes(path) === true ? [] : [{ path, from: null, to }],
  )
}

/** Whether a creation of a campaign sets this path: it sets every field of the content. */
export const isContentPath = (path: string): boolean => Object.hasOwn(DEFAULT_CONTENT, path.split('.', 1)[0] ?? '')
