import { type Decision, happened, rejected, unreachable } from '#domain/kit/decision'
import type { Fault } from '#domain/kit/errors'
import { WIRE_LOCALES, type WireLocale } from '../kit/languages.ts'
import { SECOND_LOOK_SHARE } from '../campaign/review/second-look.ts'
import { isAddress, isPublicAddress } from '../campaign/content/destinations.ts'
import { eventDecoder, FIRST, type EventSchemas } from '../kit/event-schema.ts'
import { isInRanges, parseIpRange } from '../kit/ip-range.ts'
import { isKeyDays, KEY_DAYS } from '../kit/key-life.ts'
import type { Micros } from '../kit/money.ts'
import { isTimeZone, offsetAt, type Zone } from '../kit/time-zone.ts'
import { DEFAULT_WHITE_LABEL, isWhiteLabelId } from './hosts.ts'
import { guidelineFaults, tidiedGuidelines, type ReviewGuidelines } from './review-guidelines.ts'
import { DEFAULT_INVOICING, invoicingFaults, tidiedInvoicing, type Invoicing } from './invoicing.ts'

/** A brand under which the product is sold, with its settings. Its id is the first label of its host names. */

export const whiteLabelStream = (id: string): string => `white-label-${id}`
export const WHITE_LABEL_STREAMS = 'white-label-'

export type Locale = WireLocale

export type Branding = {
  readonly name: string
  /** IANA time zone of the white-label's own days; null where they have a fixed offset. */
  readonly time_zone: string | null
  /** Seconds east of UTC of days with a fixed offset; of days with a zone, what it was when it was chosen. */
  readonly timezone_offset_seconds: number
  /** Stored file of the logo. */
  readonly logo_file_id: string | null
  /** Colours are #rrggbb in lower case; null for the product's own. */
  readonly primary_color: string | null
  readonly secondary_color: string | null
  readonly warning_color: string | null
  readonly gauge_color: string | null
  readonly term_of_service_url: string | null
  readonly help_url: string | null
  readonly default_locale: Locale
}

export type WhiteLabelSettings = ReviewGuidelines & {
  /** Whether users may approve submissions that they made or submitted themselves (fine print 46). */
  readonly own_approval: boolean
  /** Whether staff must sign in with a second factor. */
  readonly second_factor_required: boolean
  /** Minutes without use after which a session of staff ends; null for never (fine print 79). */
  readonly staff_idle_minutes: number | null
  /** Ranges of addresses from which staff may sign in and work; empty for all (fine print 81). */
  readonly staff_networks: readonly string[]
  /** Payments of invoices above it need a second person, micros of the account's currency; null for never. */
  readonly payment_approval_limit: Micros | null
  /** Whether another owner confirms what gives staff a role (fine print 87). */
  readonly second_person_for_roles: boolean
  /** Whether monthly invoices are issued and sent at once; otherwise they wait as drafts. */
  readonly invoice_automatically: boolean
  /** The longest life of an API key or service credential, days; null for the product's 90 (fine print 86). */
  readonly api_key_days: number | null
  /** Whether API keys are taken only in exchange for access tokens (fine print 86). */
  readonly api_keys_exchange_only: boolean
  /** Whether staff give a reason when they switch into an account (fine print 91). */
  readonly switch_reason_required: boolean
}

export const COLORS = ['primary_color', 'secondary_color', 'warning_color', 'gauge_color'] as const

// ── Events ──

export type WhiteLabelEvent =
  | {
      readonly type: 'WhiteLabelCreated'
      readonly data: { readonly whitelabel_id: string; readonly name: string; readonly timezone_offset_seconds: number }
    }
  /** The fields that changed, with their new values. */
  | { readonly type: 'WhiteLabelBrandingChanged'; readonly data: Partial<Branding> }
  | { readonly type: 'WhiteLabelSettingsChanged'; readonly data: Partial<WhiteLabelSettings> }
  | { readonly type: 'WhiteLabelInvoicingChanged'; readonly data: Partial<Invoicing> }
  | { readonly type: 'WhiteLabelSuspended'; readonly data: { readonly reason: string } }
  | { readonly type: 'WhiteLabelRestored'; readonly data: Readonly<Record<string, never>> }

export const WHITE_LABEL_EVENTS: EventSchemas<WhiteLabelEvent> = {
  WhiteLabelCreated: FIRST,
  WhiteLabelBrandingChanged: FIRST,
  WhiteLabelSettingsChanged: FIRST,
  WhiteLabelInvoicingChanged: FIRST,
  WhiteLabelSuspended: FIRST,
  WhiteLabelRestored: FIRST,
}

/** A white-label's event from its stored bytes. */
export const decodeWhiteLabelEvent = eventDecoder<WhiteLabelEvent>(WHITE_LABEL_EVENTS)

// ── State ──

/** State by the events. Fields that no event set have the defaults of the white-label. */
export type WhiteLabelState = {
  readonly created: boolean
  readonly branding: Partial<Branding>
  readonly settings: Partial<WhiteLabelSettings>
  /** Absent until the first change. */
  readonly invoicing?: Partial<Invoicing>
  readonly suspended: boolean
}

export const initial: WhiteLabelState = { created: false, branding: {}, settings: {}, suspended: false }

export function evolve(state: WhiteLabelState, event: WhiteLabelEvent): WhiteLabelState {
  switch (event.type) {
    case 'WhiteLabelCreated': {
      const { name, timezone_offset_seconds } = event.data
      return { ...state, created: true, branding: { ...state.branding, name, timezone_offset_seconds } }
    }
    case 'WhiteLabelBrandingChanged':
      return { ...state, branding: { ...state.branding, ...event.data } }
    case 'WhiteLabelSettingsChanged':
      return { ...state, settings: { ...state.settings, ...event.data } }
    case 'WhiteLabelInvoicingChanged':
      return { ...state, invoicing: { ...state.invoicing, ...event.data } }
    case 'WhiteLabelSuspended':
      return { ...state, suspended: true }
    case 'WhiteLabelRestored':
      return { ...state, suspended: false }
    default:
      return unreachable(event, state)
  }
}

// ── A white-label as it is ──

export type WhiteLabel = Branding & {
  readonly id: string
  readonly suspended: boolean
  readonly settings: WhiteLabelSettings
  readonly invoicing: Invoicing
}

/** White-labels that exist without an event, with their time zones. */
const BUILT_IN: Readonly<Record<string, Pick<Branding, 'time_zone' | 'timezone_offset_seconds'>>> = {
  dsp: { time_zone: 'UTC', timezone_offset_seconds: 0 },
  am: { time_zone: 'Asia/Yerevan', timezone_offset_seconds: 4 * 3600 },
  ng: { time_zone: 'Africa/Lagos', timezone_offset_seconds: 3600 },
  tn: { time_zone: 'Africa/Tunis', timezone_offset_seconds: 3600 },
}

export const BUILT_IN_IDS: readonly string[] = Object.keys(BUILT_IN)

/** The name of the product, and of white-labels without their own. */
export const PRODUCT_NAME = 'Placard'

const DEFAULT_BRANDING: Branding = {
  name: PRODUCT_NAME,
  time_zone: null,
  timezone_offset_seconds: 0,
  logo_file_id: null,
  primary_color: null,
  secondary_color: null,
  warning_color: null,
  gauge_color: null,
  term_of_service_url: null,
  help_url: null,
  default_locale: 'en_US',
}
const DEFAULT_SETTINGS: WhiteLabelSettings = {
  own_approval: false,
  second_factor_required: false,
  staff_idle_minutes: null,
  staff_networks: [],
  payment_approval_limit: null,
  second_person_for_roles: false,
  invoice_automatically: false,
  api_key_days: null,
  api_keys_exchange_only: false,
  switch_reason_required: false,
  reject_reasons: [],
  review_checklist: [],
  second_look_share: SECOND_LOOK_SHARE.preset,
  banned_words: [],
}

/**
 * Settings whose value without an event depends on the installation: on its demo, or on choices from before white-labels had events.
 * Choosing one is recorded even where it says what holds already.
 */
const OF_THE_INSTALLATION = ['own_approval', 'second_factor_required'] as const

/** The white-label of these events; null for an id that neither an event created nor the product has from the start. */
export function whiteLabelOf(
  id: string,
  { created, branding, settings, invoicing, suspended }: WhiteLabelState,
): WhiteLabel | null {
  const builtIn = Object.hasOwn(BUILT_IN, id) ? BUILT_IN[id] : undefined
  if (!created && builtIn === undefined) return null
  return {
    ...DEFAULT_BRANDING,
    // An offset from before white-labels had zones is fixed.
    ...(branding.timezone_offset_seconds === undefined ? builtIn : {}),
    ...branding,
    id,
    suspended,
    settings: { ...DEFAULT_SETTINGS, ...settings },
    invoicing: { ...DEFAULT_INVOICING, ...invoicing },
  }
}

/** The zone of a white-label's days. */
export const zoneOf = ({ time_zone, timezone_offset_seconds }: Pick<Branding, 'time_zone' | 'timezone_offset_seconds'>): Zone =>
  time_zone ?? timezone_offset_seconds

// ── Commands ──

export type WhiteLabelCommand =
  | {
      readonly type: 'CreateWhiteLabel'
      readonly name: string
      readonly timezoneOffsetSeconds: number
      readonly timeZone?: string | null
    }
  | {
      readonly type: 'ChangeWhiteLabel'
      readonly branding: Partial<Branding>
      readonly settings: Partial<WhiteLabelSettings>
      readonly invoicing?: Partial<Invoicing>
      /** The instant of the change: an offset that a zone has then anyway leaves the zone. */
      readonly now: string
      /** Whether the new logo is an image that the caller may use; irrelevant when the logo stays. */
      readonly logoUsable: boolean
      /** Address of a caller whom the networks of staff bind; null for others. */
      readonly from: string | null
    }
  | { readonly type: 'SuspendWhiteLabel'; readonly reason: string }
  | { readonly type: 'RestoreWhiteLabel' }

/**
 * Refuses an unknown white-label (170), values that cannot be used (2, every one of them named), an id that is taken or reserved
 * (2), and the suspension of the default white-label (3). What changes nothing is no event.
 */
export function decide(id: string, command: WhiteLabelCommand, state: WhiteLabelState): Decision<WhiteLabelEvent> {
  const known = whiteLabelOf(id, state)
  if (command.type === 'CreateWhiteLabel') return create(id, command, known)
  if (known === null) return rejected(170)
  switch (command.type) {
    case 'ChangeWhiteLabel':
      return change(command, known, state.settings)
    case 'SuspendWhiteLabel': {
      if (id === DEFAULT_WHITE_LABEL) return rejected(3)
      const reason = command.reason.trim()
      const faults = textFaults('reason', reason, { min: 0, max: 1000 })
      if (faults.length > 0) return rejected(2, faults)
      return state.suspended ? happened() : happened({ type: 'WhiteLabelSuspended', data: { reason } })
    }
    case 'RestoreWhiteLabel':
      return state.suspended ? happened({ type: 'WhiteLabelRestored', data: {} }) : happened()
    default:
      return unreachable(command, happened())
  }
}

function create(
  id: string,
  {
    name: written,
    timezoneOffsetSeconds: timezone_offset_seconds,
    timeZone: time_zone = null,
  }: Extract<WhiteLabelCommand, { type: 'CreateWhiteLabel' }>,
  known: WhiteLabel | null,
): Decision<WhiteLabelEvent> {
  const name = written.trim()
  const faults = [
    ...(isWhiteLabelId(id) ? [] : [wrong('id', 'hostLabel')]),
    ...(known === null ? [] : [wrong('id', 'whiteLabelTaken')]),
    ...faultsOf({ name, timezone_offset_seconds, time_zone }),
  ]
  if (faults.length > 0) return rejected(2, faults)
  return happened(
    { type: 'WhiteLabelCreated', data: { whitelabel_id: id, name, timezone_offset_seconds } },
    ...(time_zone === null ? [] : [{ type: 'WhiteLabelBrandingChanged', data: { time_zone } } as const]),
  )
}

function change(
  { branding: sent, settings, invoicing, now, logoUsable, from }: Extract<WhiteLabelCommand, { type: 'ChangeWhiteLabel' }>,
  known: WhiteLabel,
  chosen: Partial<WhiteLabelSettings>,
): Decision<WhiteLabelEvent> {
  const branding = changed(withZone(shaped(sent), known, now), known)
  const present = { ...known.settings, ...Object.fromEntries(OF_THE_INSTALLATION.map((key) => [key, chosen[key]])) }
  const newSettings = changed<Partial<WhiteLabelSettings>>(tidiedSettings(settings, known.settings), present)
  const newLogo = typeof branding.logo_file_id === 'string'
  const newInvoicing = invoicing === undefined ? {} : changed(tidiedInvoicing(invoicing, known.invoicing), known.invoicing)
  const faults = [
    ...faultsOf(branding),
    ...idleFaults(newSettings),
    ...keyFaults(newSettings),
    ...networkFaults(newSettings, from),
    ...guidelineFaults(newSettings).map(({ path, key, ...params }) => wrong(path, key, params)),
    ...(isEmpty(newInvoicing) ? [] : invoicingFaults({ ...known.invoicing, ...newInvoicing })),
    ...(newLogo && !logoUsable ? [wrong('logo_file_id', 'notAnImage')] : []),
  ]
  if (faults.length > 0) return rejected(2, faults)
  return happened(
    ...(isEmpty(branding) ? [] : [{ type: 'WhiteLabelBrandingChanged', data: branding } as const]),
    ...(isEmpty(newSettings) ? [] : [{ type: 'WhiteLabelSettingsChanged', data: newSettings } as const]),
    ...(isEmpty(newInvoicing) ? [] : [{ type: 'WhiteLabelInvoicingChanged', data: newInvoicing } as const]),
  )
}

/**
 * The zone that was sent; an offset alone is fixed, unless the present zone has it now: clients send back what they read. What cannot
 * be used stays, to be refused.
 */
function withZone(sent: Partial<Branding>, known: WhiteLabel, now: string): Partial<Branding> {
  const { timezone_offset_seconds: offset, time_zone: zone, ...rest } = sent
  if (zone !== undefined && zone !== null) {
    if (zone === known.time_zone || !isTimeZone(zone)) return { ...rest, time_zone: zone }
    return { ...rest, time_zone: zone, timezone_offset_seconds: offsetAt(zone, now) }
  }
  const present = offsetAt(zoneOf(known), now)
  if (zone === null) return { ...rest, time_zone: null, timezone_offset_seconds: offset ?? present }
  return offset === undefined || offset === present ? rest : { ...rest, time_zone: null, timezone_offset_seconds: offset }
}

/** Networks without spaces, empty lines and repeats, and tidied guidelines; the present lists where they are the same. */
function tidiedSettings(
  { staff_networks: sent, ...others }: Partial<WhiteLabelSettings>,
  known: WhiteLabelSettings,
): Partial<WhiteLabelSettings> {
  const settings = { ...others, ...tidiedGuidelines(others, known) }
  if (sent === undefined) return settings
  const networks = [...new Set(sent.map((network) => network.trim()).filter((network) => network !== ''))]
  const isSame = networks.join('\n') === known.staff_networks.join('\n')
  return { ...settings, staff_networks: isSame ? known.staff_networks : networks }
}

const isEmpty = (fields: object): boolean => Object.keys(fields).length === 0

/** The fields that differ from the present ones. */
function changed<T extends object>(sent: Partial<T>, present: T): Partial<T> {
  const fields = Object.entries(sent) as [keyof T, T[keyof T] | undefined][]
  return Object.fromEntries(fields.filter(([key, value]) => value !== undefined && value !== present[key])) as Partial<T>
}

const blankToNull = (text: string | null): string | null => (text === null || text.trim() === '' ? null : text.trim())

/** Trims texts, and writes colours in lower case. Empty texts are null. */
function shaped(sent: Partial<Branding>): Partial<Branding> {
  const lower = (text: string | null) => blankToNull(text)?.toLowerCase() ?? null
  return {
    ...sent,
    ...(sent.name === undefined ? {} : { name: sent.name.trim() }),
    ...Object.fromEntries(COLORS.flatMap((key) => (sent[key] === undefined ? [] : [[key, lower(sent[key])]]))),
    ...Object.fromEntries(
      (['term_of_service_url', 'help_url', 'logo_file_id'] as const).flatMap((key) =>
        sent[key] === undefined ? [] : [[key, blankToNull(sent[key])]],
      ),
    ),
  }
}

// ── Rules of the fields ──

export const WHITE_LABEL_LIMITS = {
  /** Characters. */
  name: 300,
  url: 2000,
  /** Seconds east of UTC. */
  timezone: { min: -12 * 3600, max: 14 * 3600, step: 900 },
  /** Minutes. */
  idle: { min: 5, max: 1440 },
  /** Ranges of addresses. */
  networks: 50,
} as const

const MESSAGES = {
  required: 'Field is required.',
  maxLength: 'Maximum {max} characters allowed!',
  hidden: 'The text must not hold line breaks or hidden characters',
  hexColor: 'A colour is # and six digits, such as #1f7a4d',
  publicUrl: 'Enter a public web address, without a user name, backslash or hidden character',
  timezone: 'A time zone is between -12:00 and +14:00, in steps of 15 minutes',
  idleMinutes: 'A whole number of minutes from {min} to {max}, or nothing',
  keyDays: 'A whole number of days from {min} to {max}, or nothing',
  networks: 'Each network is an address, a range such as 192.0.2.1-192.0.2.9, or a CIDR such as 192.0.2.0/24: {network} is not',
  tooManyNetworks: 'Maximum {max} networks',
  tooMany: 'At most {max} entries are allowed',
  wholeNumber: 'A whole number from {min} to {max}',
  ownAddress: 'Your own address {address} is in none of these networks',
  timeZone: 'A time zone is a name such as Europe/Berlin',
  notAllowed: 'This value is not one of those allowed',
  notAnImage: 'The file is not a valid image. Please upload JPG, PNG, GIF or WebP',
  hostLabel: 'An id is 2 to 30 lower-case letters, digits and single dashes, begins with a letter, and names no server',
  whiteLabelTaken: 'There is a white-label with this id already',
} as const
type WhiteLabelFaultKey = keyof typeof MESSAGES

/** A fault of a field, by the field's own name. */
function wrong(path: string, key: WhiteLabelFaultKey, params?: Fault['params']): Fault {
  const message = MESSAGES[key].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params?.[name] ?? ''))
  return params === undefined ? { path, code: 2, message, key } : { path, code: 2, message, key, params }
}

/** Line breaks would break the subject of a mail; the others are invisible or reorder the text around them. */
const HIDDEN = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u

function textFaults(path: string, text: string, { min, max }: { readonly min: number; readonly max: number }): readonly Fault[] {
  if (text.length < min) return [wrong(path, 'required')]
  if (text.length > max) return [wrong(path, 'maxLength', { max })]
  return HIDDEN.test(text) ? [wrong(path, 'hidden')] : []
}

/** Whether sessions of staff may end after this many minutes without use. */
export const isIdleLimit = (minutes: number): boolean =>
  Number.isInteger(minutes) && minutes >= WHITE_LABEL_LIMITS.idle.min && minutes <= WHITE_LABEL_LIMITS.idle.max

const idleFaults = ({ staff_idle_minutes: minutes = null }: Partial<WhiteLabelSettings>): readonly Fault[] =>
  minutes === null || isIdleLimit(minutes) ? [] : [wrong('staff_idle_minutes', 'idleMinutes', WHITE_LABEL_LIMITS.idle)]

const keyFaults = ({ api_key_days: days = null }: Partial<WhiteLabelSettings>): readonly Fault[] =>
  days === null || isKeyDays(days) ? [] : [wrong('api_key_days', 'keyDays', { min: KEY_DAYS.min, max: KEY_DAYS.max })]

/** `from` is the address of a caller who must stay inside; null for callers whom networks do not bind. */
function networkFaults({ staff_networks: networks = [] }: Partial<WhiteLabelSettings>, from: string | null): readonly Fault[] {
  const path = 'staff_networks'
  const max = WHITE_LABEL_LIMITS.networks
  if (networks.length > max) return [wrong(path, 'tooManyNetworks', { max })]
  const unreadable = networks.find((network) => parseIpRange(network) === null)
  if (unreadable !== undefined) return [wrong(path, 'networks', { network: unreadable })]
  if (from === null || isInNetworks(networks, from)) return []
  return [wrong(path, 'ownAddress', { address: from })]
}

/** Whether staff may sign in and work from this address. */
export function isInNetworks(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return true
  return isInRanges(
    networks.flatMap((network) => parseIpRange(network) ?? []),
    address,
  )
}

export const isHexColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

/** Everything that is wrong with these fields. */
export function faultsOf(branding: Partial<Branding>): readonly Fault[] {
  const { name, time_zone: zone, timezone_offset_seconds: offset, default_locale: locale } = branding
  const { min, max, step } = WHITE_LABEL_LIMITS.timezone
  return [
    ...(name === undefined ? [] : textFaults('name', name, { min: 1, max: WHITE_LABEL_LIMITS.name })),
    ...(offset === undefined || (offset >= min && offset <= max && offset % step === 0)
      ? []
      : [wrong('timezone_offset_seconds', 'timezone')]),
    ...(typeof zone !== 'string' || isTimeZone(zone) ? [] : [wrong('time_zone', 'timeZone')]),
    ...COLORS.flatMap((key) => {
      const color = branding[key]
      return typeof color === 'string' && !isHexColor(color) ? [wrong(key, 'hexColor')] : []
    }),
    ...(['term_of_service_url', 'help_url'] as const).flatMap((key) => {
      const url = branding[key]
      if (typeof url !== 'string') return []
      if (url.length > WHITE_LABEL_LIMITS.url) return [wrong(key, 'maxLength', { max: WHITE_LABEL_LIMITS.url })]
      return isAddress(url, false) && isPublicAddress(url) ? [] : [wrong(key, 'publicUrl')]
    }),
    ...(locale === undefined || WIRE_LOCALES.includes(locale) ? [] : [wrong('default_locale', 'notAllowed')]),
  ]
}
