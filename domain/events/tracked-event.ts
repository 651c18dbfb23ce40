import type { Fault } from '../kit/errors.ts'

/**
 * Events that advertisers report about visitors of their sites and apps: page views, purchases, installs. They are append-only data
 * beside the log, as facts are: nothing decides by them, and no stream holds them.
 */

/** An event as sent. Texts are within the limits of the contract. */
export type SentEvent = {
  readonly name: string
  /** Unique in the account; null for an event that is never sent twice. */
  readonly id: string | null
  /** ISO 8601 or epoch milliseconds; null for now. */
  readonly time: string | number | null
  readonly value: number | null
  readonly device_model: string | null
  readonly url: string | null
  readonly custom_parameters: Readonly<Record<string, string>>
  readonly campaign_id: string | null
  /** Whether it is a conversion; null to decide by its name. */
  readonly conversion: boolean | null
}

/** An event that can be stored: its time is ISO 8601 UTC, and its address holds neither user name nor fragment. */
export type TrackedEvent = Omit<SentEvent, 'id' | 'time'> & { readonly id: string; readonly time: string }

export const EVENT_LIMITS = {
  /** Events of one call. */
  events: 500,
  /** Characters. */
  id: 200,
  name: 100,
  deviceModel: 100,
  url: 2000,
  /** Custom parameters of one event, and the characters of their names and values. */
  parameters: 20,
  parameterName: 60,
  parameterValue: 500,
  value: 1e12,
} as const

const DAY_MS = 86_400_000
/** Events may be reported this late, days. */
export const LATEST_DAYS = 7
/** Clocks of visitors may be this far ahead, milliseconds. */
const CLOCK_SKEW_MS = 5 * 60_000

export type ReadEvent = { readonly event: TrackedEvent; readonly faults: readonly Fault[] }

/** Checks and shapes one sent event. `path` is the prefix of its faults, e.g. `events[3].`; `id` is used when it has none. */
export function readEvent(sent: SentEvent, at: { readonly path: string; readonly now: string; readonly id: string }): ReadEvent {
  const faults: Fault[] = []
  const wrong = (field: keyof SentEvent, message: string, code: 2 | 11 = 2) =>
    faults.push({ path: `${at.path}${field}`, code, message })

  const time = sent.time === null ? Date.parse(at.now) : readTime(sent.time)
  const present = Date.parse(at.now)
  if (Number.isNaN(time)) wrong('time', 'Invalid date format', 11)
  else if (time > present + CLOCK_SKEW_MS) wrong('time', 'The event has not happened yet')
  else if (time < present - LATEST_DAYS * DAY_MS) wrong('time', `The event is more than ${LATEST_DAYS} days old`)

  const url = sent.url === null ? null : withoutPersonalParts(sent.url)
  if (sent.url !== null && url === null) wrong('url', 'Must be an http or https address')
  const parameters = Object.entries(sent.custom_parameters)
  if (parameters.length > EVENT_LIMITS.parameters)
    wrong('custom_parameters', `There are at most ${EVENT_LIMITS.parameters} custom parameters`)

  const happened = faults.length > 0 ? at.now : new Date(Math.min(time, present)).toISOString()
  return { event: { ...sent, id: sent.id ?? at.id, time: happened, url }, faults }
}

function readTime(sent: string | number): number {
  const time =
    typeof sent === 'number'
      ? sent
      : /^\d{12,14}$/.test(sent)
        ? Number(sent)
        : /^\d{4}-\d{2}-\d{2}T/.test(sent)
          ? Date.parse(sent)
          : Number.NaN
  return Math.abs(time) < 8e15 ? time : Number.NaN
}

/** The address without user name, password and fragment, which may identify a person; null when it is no http or https address. */
export function withoutPersonalParts(url: string): string | null {
  if (!URL.canParse(url)) return null
  const parsed = new URL(url)
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return null
  parsed.username = ''
  parsed.password = ''
  parsed.hash = ''
  return parsed.href.length > 2 * EVENT_LIMITS.url ? null : parsed.href
}
