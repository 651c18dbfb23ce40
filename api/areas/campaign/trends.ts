import { figuresOfSums } from '#commands/reports/figures'
import { TREND_DAYS, type CampaignTrends, type TrendMetric } from '#contract/campaign-list'
import { Away } from '#eventstore/away'
import type { FactPoint } from '#factstore/fact-store'
import { campaignsInReach } from '#projections/campaign/list/queries'
import type { Caller } from '#api/http/caller'
import { reachFor } from './lists.ts'
import type { Needs } from '#api/areas/services'

const DAY_MS = 86_400_000

type Asked = { readonly ids: readonly string[]; readonly metric: TrendMetric }

/** A figure of each campaign in reach by UTC day (fine print 109): one query of the read model, one of the facts. */
export async function trendsOf(
  deps: Needs<'db' | 'facts' | 'now'>,
  { actor }: Caller,
  { ids: asked, metric }: Asked,
): Promise<CampaignTrends> {
  const today = Math.floor(Date.parse(deps.now()) / DAY_MS) * DAY_MS
  const starts = Array.from({ length: TREND_DAYS }, (_, n) => today - (TREND_DAYS - 1 - n) * DAY_MS)
  const inReach = await campaignsInReach(deps.db, reachFor(actor), [...new Set(asked)])
  const ids = [...new Set(asked)].filter((id) => inReach.has(id))
  const points = await pointsOf(deps, ids, starts)
  const valuesOf = (own: readonly FactPoint[]) => {
    const byStart = new Map(own.map(({ start, sums }) => [start, figuresOfSums(sums)[metric]]))
    return starts.map((start) => byStart.get(start) ?? 0)
  }
  return {
    days: starts.map((start) => new Date(start).toISOString().slice(0, 10)),
    trends: ids.map((id) => ({ id, values: points === null ? null : valuesOf(points.get(id) ?? []) })),
  }
}

/** Null while the store of facts is away: the rows of the list are there without lines. */
async function pointsOf(
  { facts }: Needs<'facts'>,
  ids: readonly string[],
  starts: readonly number[],
): Promise<ReadonlyMap<string, readonly FactPoint[]> | null> {
  const [first = 0] = starts
  const end = (starts.at(-1) ?? first) + DAY_MS
  if (ids.length === 0) return new Map()
  try {
    return await facts.daysByCampaign({
      scope: { kind: 'campaigns', ids },
      from: new Date(first).toISOString(),
      to: new Date(end).toISOString(),
    })
  } catch (error) {
    if (error instanceof Away) return null
    throw error
  }
}
