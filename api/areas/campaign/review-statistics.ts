import type { FastifyInstance } from 'fastify'
import { isReviewed } from '#domain/campaign/review/review-authors'
import { reviewStatistics, reviewStatisticsCsv } from '#contract/moderation'
import { sendCsv, streamCsv } from '#api/http/csv'
import { personOf } from '#api/http/person'
import { register } from '#api/http/register'
import { refused } from '#commands/refused'
import {
  decisionsByDay,
  decisionSums,
  queueByDay,
  type DecisionSums,
  type StatisticsScope,
} from '#projections/campaign/queue/statistics'
import type { Served } from '#api/areas/services'

/** Most days of a range. */
const MOST_DAYS = 366
const DAY_MS = 86_400_000

const HEADER = [
  'Moderator',
  'Approved',
  'Rejected',
  'Median minutes to decision',
  '90th percentile, minutes',
  'Share in time',
  'Rejections approved unchanged',
  'Second looks',
  'Agreed',
]

/** Statistics of moderation, from the audit log (fine print 101). */
export function registerReviewStatistics(app: FastifyInstance, deps: Served<'db' | 'people'>): void {
  const { db, guards, now, people } = deps

  async function sumsOf(scope: StatisticsScope) {
    const [total = NONE, ...moderators] = await decisionSums(db, scope, isReviewed)
    const names = await people.namesOf(moderators.flatMap(({ moderator_id: id }) => id ?? []))
    const named = moderators.map(({ moderator_id, ...sums }) => {
      const id = moderator_id ?? ''
      return { id, name: names.get(id)?.name ?? '', ...sums }
    })
    return { total: withoutId(total), moderators: named }
  }

  register(app, guards, reviewStatistics, async (call) => {
    const scope = { whitelabelId: personOf(call).whitelabelId, ...rangeOf(call.query) }
    const [sums, days, queue] = await Promise.all([sumsOf(scope), decisionsByDay(db, scope), queueByDay(db, scope, now())])
    return { ...sums, days: [...days], queue: [...queue] }
  })

  register(app, guards, reviewStatisticsCsv, async (call, reply) => {
    const { from, to } = rangeOf(call.query)
    const { moderators } = await sumsOf({ whitelabelId: personOf(call).whitelabelId, from, to })
    async function* rows() {
      yield moderators.map((one) => [
        one.name,
        one.approved,
        one.rejected,
        one.median_minutes ?? '',
        one.p90_minutes ?? '',
        one.in_time ?? '',
        one.approved_unchanged,
        one.second_looks,
        one.second_looks_agreed,
      ])
    }
    return sendCsv(reply, `moderation-${from}-${to}.csv`, streamCsv(HEADER, rows()))
  })
}

const NONE: DecisionSums = {
  moderator_id: null,
  approved: 0,
  rejected: 0,
  median_minutes: null,
  p90_minutes: null,
  in_time: null,
  approved_unchanged: 0,
  second_looks: 0,
  second_looks_agreed: 0,
}
const withoutId = ({ moderator_id: _, ...sums }: DecisionSums) => sums

/** Refuses days that do not exist, and ranges that are empty or too long (2). */
function rangeOf({ from, to }: { readonly from: string; readonly to: string }) {
  const [first, last] = [Date.parse(`${from}T00:00:00Z`), Date.parse(`${to}T00:00:00Z`)]
  const isDay = (day: string, instant: number) => Number.isFinite(instant) && new Date(instant).toISOString().startsWith(day)
  const days = (last - first) / DAY_MS + 1
  if (!isDay(from, first) || !isDay(to, last) || days < 1 || days > MOST_DAYS)
    throw refused(2, [{ path: 'to', code: 2, message: `A range has 1 to ${MOST_DAYS} days` }])
  return { from, to }
}
