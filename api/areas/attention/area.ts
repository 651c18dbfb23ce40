import { countWaiting } from '#platform/chat/conversations'
import type { Kysely } from 'kysely'
import { reviewDueAt } from '#domain/campaign/review/review-time'
import { may, reachOf, type Actor } from '#domain/kit/access'
import { fromMicros } from '#domain/kit/money'
import { failedPayments, lowAccounts } from '#projections/account/attention-queries'
import { waitingCounts } from '#projections/account/search'
import { needyCampaigns } from '#projections/campaign/list/attention-queries'
import { waitingSince } from '#projections/campaign/queue/queries'
import { ATTENTION_ENDPOINTS, ATTENTION_REASONS, readAttention, type Attention } from '#contract/attention'
import { area } from '../area.ts'
import { homeOrChosen } from '#api/http/caller'
import { personOf } from '#api/http/person'
import { register } from '#api/http/register'
import type { Db } from '#migrations/db'

/** Submissions that are compared with their due time; beyond that many, the oldest are. */
const MOST_REVIEWS = 1000

export const attention = area({
  name: 'attention',
  summary: 'What needs the signed-in user',
  endpoints: ATTENTION_ENDPOINTS,
  uses: ['accounts', 'db'],
  register(app, { accounts, db, guards, now }) {
    register(app, guards, readAttention, async (call) => {
      const actor = personOf(call)
      const account = await accounts.find(homeOrChosen(actor))
      const place = account === null ? null : { spaceId: account.space_id, whitelabelId: account.whitelabel_id }
      const reads = place !== null && account?.house === false && may(actor, 'campaign.read', place)
      const [campaigns, work] = await Promise.all([
        reads ? campaignsOf(db, place.spaceId, now()) : null,
        reachOf(actor, 'account.manage') === null ? null : workOf(db, actor, now()),
      ])
      return { campaigns, work }
    })
  },
})

async function campaignsOf(db: Kysely<Db>, spaceId: string, now: string): Promise<Attention['campaigns']> {
  const found = await needyCampaigns(db, spaceId, now)
  return ATTENTION_REASONS.flatMap((reason) =>
    found.filter((one) => one.reason === reason).map(({ count, first }) => ({ reason, count, first: [...first] })),
  )
}

async function workOf(db: Kysely<Db>, actor: Actor, now: string): Promise<Attention['work']> {
  const whitelabelId = reachOf(actor, 'account.manage') === 'all' ? null : actor.whitelabelId
  const [waiting, since, chats, low, failed] = await Promise.all([
    waitingCounts(db, { whitelabelId, spaceId: null }),
    waitingSince(db, whitelabelId, MOST_REVIEWS),
    countWaiting(db, whitelabelId),
    lowAccounts(db, whitelabelId),
    failedPayments(db, whitelabelId, now),
  ])
  return {
    reviews: { count: waiting.campaigns, overdue: since.filter((at) => reviewDueAt(at) < now).length },
    registrants: waiting.registrants,
    unanswered_chats: chats,
    low_accounts: {
      count: low[0]?.total ?? 0,
      first: low.map(({ total: _, available, ...one }) => ({ ...one, available: fromMicros(available) })),
    },
    failed_payments: {
      count: failed[0]?.total ?? 0,
      first: failed.map(({ total: _, amount, ...one }) => ({ ...one, amount: fromMicros(amount) })),
    },
  }
}
