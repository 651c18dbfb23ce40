import type { Dimension, Fact, Measure } from '#domain/delivery/batch'
import type { Micros } from '#domain/kit/money'

/**
 * The port for delivered facts: batches in, sums out. Facts are not events: they are append-only, additive, and counted once per batch.
 * Adapters: PostgreSQL (the default) and ClickHouse. `test/contract/fact-store.contract.ts` is what both promise.
 */
export type FactStore = {
  /** True while the store is known not to answer: its calls then fail at once. */
  readonly isAway: () => boolean
  /** Stores a batch once: a batch id that is stored already changes nothing. Durable when it resolves. */
  readonly store: (batch: FactBatch) => Promise<void>
  /** Sums of everything that matches. */
  readonly totals: (filter: FactFilter) => Promise<FactSums>
  /** Sums by hour or UTC day, in order of time; periods without facts are missing. `start` is epoch milliseconds. */
  readonly series: (filter: FactFilter, step: 'hour' | 'day') => Promise<readonly FactPoint[]>
  /** Sums by one grouping, the most spent first, then by key. */
  readonly groups: (filter: FactFilter, grouping: Grouping, page?: FactPage) => Promise<FactGroups>
  /** Sums by exchange, publisher and app or site, most spent first. */
  readonly sources: (filter: FactFilter) => AsyncIterable<readonly FactSource[]>
  /** Sums of each campaign with facts. */
  readonly byCampaign: (filter: FactFilter) => Promise<ReadonlyMap<string, FactSums>>
  /** Sums of each campaign by UTC day, each campaign's days in order of time; days without facts are missing. */
  readonly daysByCampaign: (filter: FactFilter) => Promise<ReadonlyMap<string, readonly FactPoint[]>>
  /** Sums one day that is over, so that reports read less; false when none is due. No answer changes. */
  readonly rollUp?: () => Promise<boolean>
  /** Forgets what is old; missing where the store has its own means. Sums of whole campaigns, accounts and days never change. */
  readonly removeOld?: (retention: FactRetention) => Promise<void>
  readonly close: () => Promise<void>
}

export type FactRetention = {
  /** Ids of batches are kept this long, days: a repeat within them counts once. */
  readonly batchDays: number
  /** Rows are kept this long, months; null for ever. */
  readonly rowMonths: number | null
  /** Most ids that one call removes. */
  readonly limit: number
}

export type FactBatch = { readonly id: string; readonly facts: readonly Fact[] }

/** Which facts count. Bounds are instants, ISO 8601 UTC: `from` inclusive, `to` exclusive; null is open. */
export type FactFilter = {
  readonly scope: FactScope
  readonly from: string | null
  readonly to: string | null
  readonly deviceTypeKey?: number | null | undefined
  /** `WIDTHxHEIGHT`. */
  readonly size?: string | null | undefined
  readonly publisher?: string | null | undefined
}

/** Owner of facts: all, one white-label, accounts, or campaigns. */
export type FactScope =
  | { readonly kind: 'all' }
  | { readonly kind: 'whitelabel'; readonly id: string }
  | { readonly kind: 'spaces'; readonly ids: readonly string[] }
  | { readonly kind: 'campaigns'; readonly ids: readonly string[] }

/** Groupings: the dimensions of a row, its account or campaign, and parts of the (UTC) time. */
export const TIME_GROUPINGS = ['year', 'quarter', 'month', 'week', 'day', 'day_of_week', 'hour'] as const
export type TimeGrouping = (typeof TIME_GROUPINGS)[number]
export type Grouping = Dimension | 'space_id' | 'campaign_id' | TimeGrouping

export type FactSums = { readonly [measure in Measure]: number } & {
  /** Billed, micros. */
  readonly spent: Micros
  /** Spent beyond the budget in force and never charged, micros. */
  readonly overdelivered: Micros
}
export type FactPoint = { readonly start: number; readonly sums: FactSums }
export type FactGroup = { readonly key: string; readonly sums: FactSums }
export type FactGroups = { readonly rows: readonly FactGroup[]; readonly total: number }
export type FactPage = { readonly offset: number; readonly limit: number }
export type FactSource = {
  readonly exchange: string
  readonly publisher: string
  readonly app_or_site: string
  readonly sums: FactSums
}

/** Points by campaign, each in the order in which it came. */
export function pointsByCampaign(found: readonly (readonly [string, FactPoint])[]): ReadonlyMap<string, readonly FactPoint[]> {
  const points = new Map<string, FactPoint[]>()
  for (const [campaign, point] of found) {
    const own = points.get(campaign)
    if (own === undefined) points.set(campaign, [point])
    else own.push(point)
  }
  return points
}
