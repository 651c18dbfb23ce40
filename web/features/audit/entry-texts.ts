import type { FeedEntry } from '#contract/audit-feed'
import { MONEY_KEYS } from '#domain/campaign/content/content'
import { fromMicros } from '#domain/kit/money'
import { fieldChanges, type Change } from '@/features/campaigns/change-log/field-changes'
import { authorName, pathLabel } from '@/features/campaigns/change-log/log-labels'
import { fieldAround, plainPath } from '@/features/campaigns/change-log/log-lookup'
import { inOneLine, NOTHING, text, type Said } from '@/features/campaigns/change-log/said'
import { sayChange, type SaidChange } from '@/features/campaigns/change-log/said-change'
import { plain, type Names } from '@/features/campaigns/change-log/values'
import { formatExactMoney, formatMinute } from '@/i18n/format'
import { lookUp } from '@/i18n/look-up'

/** Entries of the feed in words. Campaigns have those of the change log; the events of other subjects are their data. */

export const eventName = (type: string): string => lookUp(`log:event.${type}`) ?? lookUp(`audit:event.${type}`) ?? type
export const kindName = (kind: string): string => lookUp(`audit:kind.${kind}`) ?? kind
export const entryAuthor = ({ author, actor_id }: FeedEntry): string => authorName({ author, author_id: actor_id })

export type EntryChange = { readonly path: string; readonly label: string; readonly said: SaidChange }

const CAMPAIGN_MONEY: ReadonlySet<string> = new Set(MONEY_KEYS)
/** Amounts in the events of other subjects. */
const MONEY: ReadonlySet<string> = new Set([
  'amount',
  'assigned',
  'assigns',
  'available',
  'balance',
  'base_bid',
  'credit_limit',
  'given',
  'monthly_limit',
  'payable',
  'payment_approval_limit',
  'rounding',
  'settled',
  'spent',
  'taken',
  'tax',
  'threshold',
  'total',
])
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/
/** Identify the subject itself, which the entry names. */
const OF_SUBJECT: ReadonlySet<string> = new Set(['id', 'space_id', 'whitelabel_id'])

/** Returns what an entry changed, or what its event says, in words. */
export function entryChanges({ kind, changes }: FeedEntry, names: Names): readonly EntryChange[] {
  if (kind === 'campaign')
    return byWeight(campaignChanges(changes)).map((change) =>
      fieldAround(change.path) === null
        ? ofEvent(change)
        : { path: change.path, label: pathLabel(change.path), said: sayChange(change, names) },
    )
  return byWeight(changes.filter(({ path }) => !OF_SUBJECT.has(path))).map(ofEvent)
}

const ofEvent = ({ path, from, to }: Change): EntryChange => ({
  path,
  label: fieldName(path),
  said: { before: say(path, from), after: say(path, to), words: null, items: null, erased: { before: false, after: false } },
})

/** Texts and decisions of a person tell more than numbers of the process: first the words, last the counters. */
const byWeight = <C extends Change>(changes: readonly C[]): readonly C[] =>
  changes.toSorted((a, b) => weightOf(a.path) - weightOf(b.path))
const weightOf = (path: string): number => (WORDS.has(path) ? 0 : COUNTERS.has(path) ? 2 : 1)
const WORDS: ReadonlySet<string> = new Set(['amount', 'comment', 'reason', 'number', 'month'])
const COUNTERS: ReadonlySet<string> = new Set(['settlement', 'submission', 'version', 'settlements', 'started_at'])

/** Changes of a campaign as the change log has them: amounts in units of the currency. */
export const campaignChanges = (changes: FeedEntry['changes']): readonly Change[] =>
  fieldChanges(
    changes.map(({ path, from, to }) =>
      CAMPAIGN_MONEY.has(path) ? { path, from: inUnits(from), to: inUnits(to) } : { path, from, to },
    ),
  )

const inUnits = (value: unknown): unknown => (typeof value === 'number' ? fromMicros(value) : value)

export function fieldName(path: string): string {
  const [head = '', ...rest] = plainPath(path).split('.')
  const last = rest.at(-1)
  const name = (key: string) => lookUp(`audit:fields.${key}`) ?? lookUp(`accounts:fields.${key}`)
  const known = name(head)
  if (last === undefined) return known ?? path
  const inner = name(last) ?? last
  return known === null ? inner : `${known}: ${inner}`
}

function say(path: string, value: unknown): Said {
  const key = plainPath(path).split('.').at(-1) ?? path
  if (typeof value === 'number' && MONEY.has(key)) return text(formatExactMoney(fromMicros(value), null))
  if (typeof value === 'string' && INSTANT.test(value)) return text(formatMinute(value) || value)
  const said = plain(value, NO_NAMES)
  return said.kind === 'text' && said.text === '' ? NOTHING : said
}

const same = (words: string) => words
/** Values of other subjects name nothing that would have to be loaded. */
const NO_NAMES: Names = {
  currency: null,
  zone: 0,
  country: same,
  city: same,
  interest: same,
  category: same,
  appCategory: same,
  app: same,
  bidding: { and: '', or: '', everything: '', rule: () => '', outcome: () => '' },
}

const LONGEST = 60
const lineOf = (said: Said): string => {
  const line = inOneLine(said).replaceAll(/\s+/g, ' ')
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line
}

/** "20.00 → 30.00"; the value alone of what was not there before; for a list, the removed and added items. */
export function changeLine({ said: { before, after, items } }: EntryChange, nothing: string): string {
  if (items !== null)
    return items
      .flatMap(({ item, in: side }) => (side === 'both' ? [] : `${side === 'before' ? '−' : '+'} ${item.text}`))
      .join(', ')
  if (before.kind === 'nothing') return lineOf(after) || nothing
  return `${lineOf(before)} → ${lineOf(after) || nothing}`
}
