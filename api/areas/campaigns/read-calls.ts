import type { Actor } from '../../../domain/kit/access.ts'
import { isOwnerPath } from '../../../domain/campaign/content/content.ts'
import { reviewDueAt } from '../../../domain/campaign/review/review-time.ts'
import { figuresOf, NOTHING_COUNTED } from '../../../domain/figures/figures.ts'
import { fromMicros } from '../../../domain/kit/money.ts'
import { countCampaigns, listCampaigns, type ListedCampaign, type Reach } from '../../../projections/campaign-list/queries.ts'
import {
  countRevisions,
  revisionIndex,
  revisionPage,
  type RevisionEntry,
  type RevisionFilter,
} from '../../../projections/campaign-revisions/queries.ts'
import { moderationQueue } from '../../../projections/moderation-queue/queries.ts'
import type { LogEntry, RevisionLine } from '../../contract/audit.ts'
import type { ListInput, ListRow } from '../../contract/campaign-list.ts'
import type { QueueInput } from '../../contract/moderation.ts'
import { evaluateBid } from '../../../domain/bidding/evaluate.ts'
import { factsOf, type BidRequest } from '../../../domain/bidding/impression.ts'
import { refused } from '../../kit/refused.ts'
import { viewerOf } from '../../kit/campaigns/answers.ts'
import { authorize, type Caller } from '../../kit/caller.ts'
import { readableCampaign, type CampaignKit } from '../../kit/campaigns/readable-campaign.ts'
import { reachFor, readableSpace, statusesOf } from '../../kit/campaigns/lists.ts'
import { periodOf } from '../../kit/period.ts'
import { actorNamer, campaignOut, changesOut, contentOut, reasonsOut, seesOwnerFields } from '../../kit/campaigns/wire.ts'

const MAX_PAGE = 150

/** Lists, one campaign, the change log, the moderation queue: all from read models. */
export function createReadCalls(deps: CampaignKit) {
  async function list(caller: Caller, input: ListInput, reach: Reach) {
    periodOf(input)
    const pageSize = Math.min(MAX_PAGE, Math.max(1, input.pageSize ?? input.page_size ?? 10))
    const page = Math.max(0, input.page ?? 0)
    const order = orderOf(input)
    const { rows, total } = await listCampaigns(deps.db, {
      reach,
      name: input.name?.trim() || null,
      statuses: statusesOf(input.status_filter),
      order,
      page,
      pageSize,
    })
    const data = await Promise.all(rows.map((row) => rowOut(caller.actor, row)))
    return { current_page: page, page_size: pageSize, total_size: total, data }
  }

  async function rowOut(actor: Actor, row: ListedCampaign): Promise<ListRow> {
    const viewer = await viewerOf(actor, row.state, deps.people, deps.now())
    return {
      id: row.id,
      space_id: row.space_id,
      space_name: row.space_name,
      currency: row.currency,
      name: row.name,
      status_key: row.status_key,
      status_reasons: reasonsOut(row.state, viewer),
      need_moderation: row.need_moderation,
      review: row.review,
      revision: row.revision,
      campaign_start_at: row.campaign_start_at,
      campaign_end_at: row.campaign_end_at,
      timezone_offset_seconds: row.state.head.timezone_offset_seconds,
      campaign_type_key: row.campaign_type_key,
      goal: row.goal,
      type: row.type,
      budget: row.state.head.budget === null ? null : fromMicros(row.state.head.budget),
      budget_type_key: row.budget_type_key,
      creative_status: creativeStatusOf(row.creative_status),
      moderation_start_at: row.moderation_start_at,
      created_at: row.created_at,
      updated_at: row.updated_at,
      ...FIGURES,
    }
  }

  async function namerOf(actor: Actor, spaceId: string, entries: readonly { readonly actor: string }[]) {
    const ids = new Set(entries.map((entry) => entry.actor).filter((id) => !isSystem(id)))
    return actorNamer(actor, spaceId, await deps.people.namesOf([...ids]))
  }

  return {
    async get(caller: Caller, id: string) {
      const row = await readableCampaign(deps, caller, id)
      return campaignOut(row.state, await viewerOf(caller.actor, row.state, deps.people, deps.now()))
    },

    async list(caller: Caller, input: ListInput) {
      return list(caller, input, await readableSpace(deps, caller, input.space_id))
    },

    async adminList(caller: Caller, input: ListInput) {
      return list(caller, input, input.space_id ? await readableSpace(deps, caller, input.space_id) : reachFor(caller.actor))
    },

    async count(caller: Caller, spaceId: string): Promise<number> {
      const account = await deps.accounts.opened(spaceId)
      const place = account === null ? null : { spaceId: account.space_id, whitelabelId: account.whitelabel_id }
      authorize(caller.actor, 'campaign.read', place, 110)
      return countCampaigns(deps.db, spaceId)
    },

    async maxMargin({ actor }: Caller, userId: string): Promise<number> {
      const person = (await deps.people.namesOf([userId])).get(userId)
      const home = person === undefined ? null : await deps.accounts.opened(person.homeSpaceId)
      const place = home === null ? null : { spaceId: home.space_id, whitelabelId: home.whitelabel_id }
      authorize(actor, 'max-margin.read', place, 6)
      return deps.campaignPort.maxMargin(place.spaceId)
    },

    async revisions(
      caller: Caller,
      id: string,
      asked: { readonly page: number | undefined; readonly size: number | undefined },
      filter: RevisionFilter,
    ) {
      const row = await readableCampaign(deps, caller, id, 'log.read')
      const pageSize = Math.min(MAX_PAGE, Math.max(1, asked.size ?? 25))
      const number = Math.max(1, asked.page ?? 1)
      const owner = seesOwnerFields(caller.actor, { spaceId: row.space_id, whitelabelId: row.whitelabel_id })
      // Only users who may see a field may learn that it changed.
      const hidden = !owner && filter.field !== null && isOwnerPath(filter.field)
      const { entries, total } = hidden ? NO_ENTRIES : await revisionPage(deps.db, id, number - 1, pageSize, filter)
      const namer = await namerOf(caller.actor, row.space_id, entries)
      return {
        current_page: number,
        page_size: pageSize,
        total_size: total,
        data: entries.map((entry) => logEntryOut(entry, namer, owner)),
      }
    },

    async revisionIndex(caller: Caller, id: string): Promise<RevisionLine[]> {
      const row = await readableCampaign(deps, caller, id, 'log.read')
      const entries = await revisionIndex(deps.db, id)
      const namer = await namerOf(caller.actor, row.space_id, entries)
      return entries.map((entry) => logLineOut(entry, namer))
    },

    async revisionCount(caller: Caller, id: string): Promise<number> {
      await readableCampaign(deps, caller, id, 'log.read')
      return countRevisions(deps.db, id)
    },

    /** For a sample bid request: the entry that matches, and why the others do not. */
    async explainBidding(caller: Caller, id: string, request: BidRequest) {
      authorize(caller.actor, 'owner-fields.read', await deps.placeOf(id))
      const { head, revision } = await deps.commands.campaigns.load(id)
      const impressions = request.imp.map((imp) => {
        const { entry, multiplier, entries } = evaluateBid(head.traffic_targeting, factsOf(request, imp))
        return {
          imp_id: imp.id,
          entry: entry?.id ?? null,
          multiplier,
          bids: multiplier > 0,
          entries: entries.map((one) => ({
            id: one.entry.id,
            name: one.entry.name,
            multiplier: one.entry.multiplier,
            rules: one.explained,
          })),
        }
      })
      return { revision, impressions }
    },

    async queue(caller: Caller, input: QueueInput) {
      const pageSize = Math.min(MAX_PAGE, Math.max(1, input.page_size ?? 25))
      const page = Math.max(0, input.page ?? 0)
      const reach = input.space_id ? await readableSpace(deps, caller, input.space_id) : reachFor(caller.actor)
      const { rows, total } = await moderationQueue(deps.db, reach, page, pageSize)
      const data = rows.map((row) => ({ ...row, due_at: reviewDueAt(row.moderation_start_at) }))
      return { current_page: page, page_size: pageSize, total_size: total, data }
    },
  }
}

const NO_ENTRIES = { entries: [], total: 0 }
const isSystem = (actor: string) => actor.startsWith('system:')

type Namer = (id: string, event: string) => string

const logLineOut = (entry: Pick<RevisionEntry, 'revision' | 'at' | 'actor' | 'events'>, name: Namer): RevisionLine => ({
  revision: entry.revision,
  author: name(entry.actor, entry.events[0] ?? ''),
  author_id: isSystem(entry.actor) ? null : entry.actor,
  commit_date: entry.at,
})

export const logEntryOut = (entry: RevisionEntry, name: Namer, owner: boolean): LogEntry => ({
  ...logLineOut(entry, name),
  source: entry.source,
  events: [...entry.events],
  state_difference: changesOut(entry.changes, owner).map(({ path, from, to }) => ({ path, value: to, from, to })),
  previous_state: entry.previous === null ? null : contentOut(entry.previous, owner),
  current_state: contentOut(entry.current, owner),
})

const NONE = figuresOf(NOTHING_COUNTED)
const FIGURES = { ...NONE, budget_spent: 0, daily_budget_spent: 0, report_data: { cpa: NONE.cpa, cvr: NONE.cvr } }

const creativeStatusOf = (text: string | null): ListRow['creative_status'] =>
  text === 'approved' || text === 'pending' || text === 'disapproved' ? text : null

function orderOf({ order_field, order_asc }: ListInput): { field: 'name' | 'status' | 'figures'; ascending: boolean } {
  const ascending = order_asc ?? true
  if (order_field === 'name' || order_field === 'status') return { field: order_field, ascending }
  if (order_field === undefined || order_field === null || order_field === '') return { field: 'figures', ascending }
  if (['impressions', 'clicks', 'conversions', 'spent'].includes(order_field)) return { field: 'figures', ascending }
  throw refused(2, [{ path: 'order_field', code: 2, message: 'The list cannot be ordered by this field' }])
}
