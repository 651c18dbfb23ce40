import { withoutToken } from '#domain/campaign/content/file-addresses'
import { z } from '#contract/zod'
import { trafficEntry } from '#contract/campaign-body'
import { localDay } from '#domain/campaign/content/dates'
import { BANNER_SIZES } from '#domain/campaign/content/options'
import { formatExact, formatExactMoney, formatMinute, formatPlainDay } from '@/i18n/format'
import { lookUp } from '@/i18n/look-up'
import { conditionText, summaryOf, type Words } from '../form/tabs/bidding/summary.ts'
import { toDrafts } from '../form/tabs/bidding/draft.ts'
import { stretches } from '../form/tabs/frequency/schedule-summary.ts'
import { EMPTY } from '../form/tabs/frequency/schedule.ts'
import { items, NOTHING, text, type Item, type Said } from './said.ts'

/** Data needed to format values: names by id, the account's currency, the campaign's time zone. */
export type Names = {
  /** Null until known: amounts are then shown without a currency. */
  readonly currency: string | null
  /** Seconds east of UTC. */
  readonly zone: number
  readonly country: (code: string) => string
  readonly city: (id: string) => string
  readonly interest: (id: string) => string
  readonly category: (key: string) => string
  readonly appCategory: (id: string) => string
  readonly app: (id: string) => string
  readonly bidding: Words
}

/** Formats the values of one field. Unreadable values are shown as stored. */
export type Say = (value: unknown, names: Names) => Said

type Loose = Readonly<Record<string, unknown>>
export const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null && !Array.isArray(value)
const isEmpty = (value: unknown) => value === null || value === undefined || value === ''
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? formatExact(value) : JSON.stringify(value)
const word = (key: string, value: unknown): string => lookUp(`${key}.${String(value)}`) ?? textOf(value)

/** Formats an existing value by `name`; an empty one has no text. */
const one =
  (name: (value: unknown, names: Names) => string): Say =>
  (value, names) =>
    isEmpty(value) ? NOTHING : text(name(value, names))

const named = (name: (id: string, names: Names) => string) => one((value, names) => name(String(value), names))

/** Text, figures, booleans, and lists of these. */
export const plain: Say = (value) => {
  if (isEmpty(value)) return NOTHING
  if (typeof value === 'boolean') return text(word('log:said', value))
  if (Array.isArray(value)) return items(value.map((entry) => itemOf(textOf(entry))))
  return text(isObject(value) ? JSON.stringify(value, null, 2) : textOf(value))
}
const itemOf = (words: string, id = words, picture: string | null = null): Item => ({ id, text: words, picture })

export const money = one((value, { currency }) => (typeof value === 'number' ? formatExactMoney(value, currency) : textOf(value)))
export const percent = one((value) => `${textOf(value)}%`)
export const pixels = one((value) => `${textOf(value)} px`)
export const seconds = one((value) => lookUp('log:said.seconds', { value: textOf(value) }) ?? '')
export const bytes = one((value) => lookUp('log:said.bytes', { value: textOf(value) }) ?? '')
export const megabytes = one((value) => lookUp('creatives:megabytes', { size: textOf(value) }) ?? '')
export const instant = one((value) => formatMinute(String(value)) || textOf(value))
export const country = named((code, names) => names.country(code))

/** A day in the campaign's time zone, in which it was entered. */
export const day = one((value, { zone }) => {
  const at = Date.parse(String(value))
  return Number.isNaN(at) ? textOf(value) : formatPlainDay(localDay(String(value), zone))
})

/** UTC+1, UTC−3:30. */
export const zone = one((value) => {
  if (typeof value !== 'number') return textOf(value)
  const minutes = Math.abs(value) / 60
  const rest = minutes % 60
  return `UTC${value < 0 ? '−' : '+'}${Math.floor(minutes / 60)}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
})

/** An enum value: its label under `key`. Numbers map to the given names. */
export const oneOf = (key: string, numbers: Readonly<Record<number, string>> = {}): Say =>
  one((value) => word(key, typeof value === 'number' ? (numbers[value] ?? value) : value))

/** The labels of a list of keys, in any order. */
export const labels = (key: string): Say => list((value) => word(key, value))
export const list =
  (name: (id: string, names: Names) => string): Say =>
  (value, names) =>
    Array.isArray(value) ? items(value.map((id) => itemOf(name(String(id), names), String(id)))) : plain(value, names)

/** A list where empty means everything. */
export const allWhenEmpty =
  (say: Say): Say =>
  (value, names) =>
    Array.isArray(value) && value.length === 0 ? text(lookUp('log:said.all') ?? '') : say(value, names)

export const bannerSize = one((value) => {
  const size = BANNER_SIZES.find(({ key }) => key === value)
  return size === undefined ? textOf(value) : `${size.width} × ${size.height}`
})

export const pairs = (between: string): Say => {
  const pair = z.union([z.object({ name: z.string(), value: z.unknown() }), z.object({ key: z.string(), value: z.unknown() })])
  return (value, names) => {
    const read = z.array(pair).safeParse(value)
    if (!read.success) return plain(value, names)
    const keyOf = (entry: z.infer<typeof pair>) => ('name' in entry ? entry.name : entry.key)
    return items(read.data.map((entry) => itemOf(`${keyOf(entry)}${between}${textOf(entry.value)}`, keyOf(entry))))
  }
}

/** An age range. */
export const range = one((value) => (Array.isArray(value) ? value.map(textOf).join('–') : textOf(value)))

/** The numbers of the enabled slots, from 1. */
export const slots: Say = (value, names) => {
  const flags = z.array(z.number()).safeParse(value)
  if (!flags.success) return plain(value, names)
  const on = flags.data.flatMap((flag, index) => (flag === 1 ? [String(index + 1)] : []))
  if (on.length === flags.data.length) return text(lookUp('log:said.all') ?? '')
  return text(on.length === 0 ? (lookUp('log:said.none') ?? '') : on.join(', '))
}

/** The hours of one day, as "09:00–12:00, 14:00–18:00". */
export const hours: Say = (value, names) => {
  const slots = z.array(z.string()).safeParse(value)
  return slots.success ? text(stretches({ ...EMPTY, '1': slots.data }, '1')) : plain(value, names)
}

const media = z.object({
  id: z.nullish(z.union([z.string(), z.number()])),
  index: z.nullish(z.number()),
  creative_name: z.nullish(z.string()),
  name: z.nullish(z.string()),
  filename: z.nullish(z.string()),
  value: z.nullish(z.string()),
  width: z.nullish(z.number()),
  height: z.nullish(z.number()),
  file_id: z.nullish(z.string()),
  fileId: z.nullish(z.string()),
  url: z.nullish(z.string()),
})

function mediumOf(value: unknown, still: boolean): Item | null {
  const read = media.safeParse(value)
  if (!read.success) return null
  const { id, index, creative_name, name, filename, width, height, file_id, fileId, url, value: words } = read.data
  const size = typeof width === 'number' && typeof height === 'number' ? `${width} × ${height}` : null
  const file = file_id ?? fileId ?? null
  const label = words ?? creative_name ?? name ?? filename
  const shown = [label, size].filter((part) => typeof part === 'string' && part !== '').join(' · ')
  // A picture slot without a file is empty, whatever its size.
  if (shown === '' && file === null) return null
  const picture = still && typeof url === 'string' && url !== '' ? url : null
  return itemOf(shown === '' ? (lookUp('log:said.picture') ?? '') : shown, String(id ?? index ?? file ?? shown), picture)
}

/** A creative, an image, a text variant, or a list of them: name, size, and a thumbnail for pictures. */
const things =
  (still: boolean): Say =>
  (value, names) => {
    if (isEmpty(value)) return NOTHING
    const found = (Array.isArray(value) ? value : [value]).flatMap((entry) => mediumOf(entry, still) ?? [])
    return Array.isArray(value) || found.length > 0 ? items(found) : isObject(value) ? NOTHING : plain(value, names)
  }
export const pictures = things(true)
export const files = things(false)

/** The URL of a picture, shown as a thumbnail. */
export const picture: Say = (value, names) =>
  typeof value === 'string' && value !== ''
    ? items([itemOf(withoutToken(value).split('/').at(-1) ?? '', value, value)])
    : plain(value, names)

/** Advanced bidding entries as sentences. They arrive as a list, as a single entry, or as the stored text. */
export const entries: Say = (value, names) => {
  const stored = typeof value === 'string' ? value : JSON.stringify(Array.isArray(value) ? value : [value])
  const drafts = isEmpty(value) ? [] : toDrafts(stored)
  if (drafts.length === 0) return isEmpty(value) || stored === '[]' ? NOTHING : plain(value, names)
  return items(drafts.map((draft) => itemOf(`${draft.name}: ${summaryOf(draft, names.bidding)}`, String(draft.id))))
}

/** The rules of one entry, formatted as in its summary. */
export const rules: Say = (value, names) => {
  const read = trafficEntry.shape.rules.safeParse({ condition: 'and', rules: value })
  if (!read.success) return plain(value, names)
  return items(
    read.data.rules
      .map((rule) => conditionText({ condition: 'and', rules: [rule] }, names.bidding))
      .map((words) => itemOf(words)),
  )
}

const compliance = z.object({ status: z.string() })

/** The decision of an exchange, or one part of it. */
export const verdict: Say = (value, names) => {
  if (typeof value === 'string') return text(word('log:verdict', value))
  const topics = z.array(z.object({ policyTopic: z.string() })).safeParse(value)
  if (topics.success) return items(topics.data.map(({ policyTopic }) => itemOf(policyTopic)))
  if (!isObject(value)) return plain(value, names)
  const parts = Object.values(value).flatMap((part) => {
    const read = compliance.safeParse(part)
    return read.success ? [read.data.status] : []
  })
  const worst = ['disapproved', 'pending', 'approved'].find((status) => parts.includes(status))
  return worst === undefined ? NOTHING : text(word('log:verdict', worst))
}
