import { isStaff, may, reachOf, type Actor } from '../../domain/access.ts'
import { readInstant } from '../../domain/campaign/dates.ts'
import { STATUS, STATUS_ALL, STATUS_KEYS } from '../../domain/campaign/status.ts'
import { audioSpots } from '../../domain/estimates/spots.ts'
import { fromMicros, toMicros } from '../../domain/money.ts'
import { countCampaigns, listCampaigns, type ListedCampaign, type Reach } from '../../projections/campaign-list/queries.ts'
import { countRevisions, revisionPage, type RevisionEntry } from '../../projections/campaign-revisions/queries.ts'
import { moderationQueue } from '../../projections/moderation-queue/moderation-queue.ts'
import type { ListInput, ListRow, LogEntry } from '../contract/campaign.ts'
import { evaluateBid } from '../../domain/bidding/evaluate.ts'
import { factsOf, type BidRequest } from '../../domain/bidding/impression.ts'
import { refused } from '../refused.ts'
import { viewerOf } from './answers.ts'
import { authorize, homeOrChosen, type Caller } from './caller.ts'
import { readableCampaign, type CampaignCallDeps } from './campaign-calls.ts'
import { actorNamer, campaignOut, changesOut, contentOut, reasonsOut, seesOwnerFields } from './wire.ts'

const MAX_PAGE = 150

type SpotsAsked = { readonly campaign_id?: string | undefined; readonly cpm_multiplier: number; readonly daily_budget: number }

/** Lists, one campaign, the change log, the moderation queue: all from read models. */
export function createReadCalls(deps: CampaignCallDeps) {
  async function list(caller: Caller, input: ListInput, reach: Reach) {
    checkPeriod(input)
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
      ...NO_FIGURES,
    }
  }

  return {
    async get(caller: Caller, id: string) {
      const row = await readableCampaign(deps, caller, id)
      return campaignOut(row.state, await viewerOf(caller.actor, row.state, deps.people, deps.now()))
    },

    list(caller: Caller, input: ListInput) {
      const { actor } = caller
      const spaceId = input.space_id ?? homeOrChosen(actor)
      return deps.accounts.find(spaceId).then((account) => {
        const place = account === null ? null : { spaceId: account.space_id, whitelabelId: account.whitelabel_id }
        if (place === null || !may(actor, 'campaign.read', place)) throw refused(1420)
        // Staff who have not switched into an account look at their house space: then all of their white-label is meant.
        const everywhere = isStaff(actor) && !input.space_id && account?.house === true
        return list(caller, input, everywhere ? reachFor(actor) : { whitelabelId: null, spaceId })
      })
    },

    adminList(caller: Caller, input: ListInput) {
      const reach = reachFor(caller.actor)
      return list(caller, input, input.space_id ? { ...reach, spaceId: input.space_id } : reach)
    },

    async count(caller: Caller, spaceId: string): Promise<number> {
      const account = await deps.accounts.find(spaceId)
      const place = account === null ? null : { spaceId: account.space_id, whitelabelId: account.whitelabel_id }
      if (place === null || !may(caller.actor, 'campaign.read', place)) throw refused(110)
      return countCampaigns(deps.db, spaceId)
    },

    /** Zero until there is delivery. */
    async total(caller: Caller, id: string) {
      await readableCampaign(deps, caller, id)
      return { current_period_clicks: 0, current_period_impressions: 0, current_period_spent: 0 }
    },

    async maxMargin({ actor }: Caller, userId: string): Promise<number> {
      const person = (await deps.people.namesOf([userId])).get(userId)
      const home = person === undefined ? null : await deps.accounts.find(person.homeSpaceId)
      if (home === null || !may(actor, 'owner-fields.read', { spaceId: home.space_id, whitelabelId: home.whitelabel_id }))
        throw refused(6)
      return deps.maxMargin(home.space_id)
    },

    /** Audio spots for a day's budget (decisions G-164). */
    async spots({ actor }: Caller, asked: SpotsAsked) {
      const place = asked.campaign_id === undefined ? null : await deps.placeOf(asked.campaign_id)
      if (asked.campaign_id !== undefined) authorize(actor, 'campaign.read', place)
      const account = await deps.accounts.find(place?.spaceId ?? homeOrChosen(actor))
      const [multiplier, budget] = [toMicros(asked.cpm_multiplier), toMicros(asked.daily_budget)]
      const spot = multiplier === null || budget === null ? null : audioSpots(account?.currency ?? 'USD', multiplier, budget)
      if (spot === null) throw refused(2, spotFaults(multiplier, budget))
      return { spot }
    },

    async revisions(caller: Caller, id: string, page: number | undefined, size: number | undefined) {
      const row = await readableCampaign(deps, caller, id, 'log.read')
      const pageSize = Math.min(MAX_PAGE, Math.max(1, size ?? 25))
      const number = Math.max(1, page ?? 1)
      const entries = await revisionPage(deps.db, id, number - 1, pageSize)
      const people = await deps.people.namesOf([
        ...new Set(entries.map(({ actor }) => actor).filter((actor) => !actor.startsWith('system:'))),
      ])
      const namer = actorNamer(caller.actor, row.space_id, people)
      const owner = seesOwnerFields(caller.actor, { spaceId: row.space_id, whitelabelId: row.whitelabel_id })
      return {
        current_page: number,
        page_size: pageSize,
        total_size: await countRevisions(deps.db, id),
        data: entries.map((entry) => logEntryOut(entry, namer, owner)),
      }
    },

    async revisionCount(caller: Caller, id: string): Promise<number> {
      await readableCampaign(deps, caller, id, 'log.read')
      return countRevisions(deps.db, id)
    },

    /** For a sample bid request: which entry matches and why each other does not. */
    async explainBidding(caller: Caller, id: string, request: BidRequest) {
      authorize(caller.actor, 'owner-fields.read', await deps.placeOf(id))
      const { head, revision } = await deps.commands.load(id)
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

    async queue(
      caller: Caller,
      input: { readonly page?: number | null | undefined; readonly page_size?: number | null | undefined },
    ) {
      const pageSize = Math.min(MAX_PAGE, Math.max(1, input.page_size ?? 25))
      const page = Math.max(0, input.page ?? 0)
      const { rows, total } = await moderationQueue(deps.db, reachFor(caller.actor), page, pageSize)
      return { current_page: page, page_size: pageSize, total_size: total, data: [...rows] }
    },
  }
}

export function logEntryOut(entry: RevisionEntry, name: (id: string, event: string) => string, owner: boolean): LogEntry {
  const system = entry.actor.startsWith('system:')
  return {
    revision: entry.revision,
    author: name(entry.actor, entry.events[0] ?? ''),
    author_id: system ? null : entry.actor,
    source: entry.source,
    events: [...entry.events],
    commit_date: entry.at,
    state_difference: changesOut(entry.changes, owner).map(({ path, from, to }) => ({ path, value: to, from, to })),
    previous_state: entry.previous === null ? null : contentOut(entry.previous, owner),
    current_state: contentOut(entry.current, owner),
  }
}

const NO_FIGURES = {
  budget_spent: 0,
  daily_budget_spent: 0,
  impressions: 0,
  clicks: 0,
  conversions: 0,
  spent: 0,
  ctr: 0,
  cpm: 0,
  cpc: 0,
  cvr: 0,
  cpa: 0,
  conversions_unique_bid: 0,
  report_data: { cpa: 0, cvr: 0 },
}

const creativeStatusOf = (text: string | null): ListRow['creative_status'] =>
  text === 'approved' || text === 'pending' || text === 'disapproved' ? text : null

function reachFor(actor: Actor): Reach {
  const scope = reachOf(actor, 'campaign.read')
  if (scope === 'all') return { whitelabelId: null, spaceId: null }
  return scope === 'whitelabel'
    ? { whitelabelId: actor.whitelabelId, spaceId: null }
    : { whitelabelId: actor.whitelabelId, spaceId: actor.homeSpaceId }
}

/** A key, its name, a list of either; absent, 50 and all mean every status; anything else is 133 (decisions G-078, lifecycle). */
function statusesOf(filter: ListInput['status_filter']): readonly number[] | null {
  if (filter === null || filter === undefined) return null
  const wanted = (Array.isArray(filter) ? filter : [filter]).map((value) => {
    const text = String(value).trim().toLowerCase()
    if (text === String(STATUS_ALL) || text === 'all' || text === '') return null
    const key = STATUS_KEYS.find((status) => String(status) === text || STATUS[status] === text)
    if (key === undefined) throw refused(133, [{ path: 'status_filter', code: 133, message: `Status ${text} is not supported` }])
    return key
  })
  return wanted.length === 0 || wanted.includes(null) ? null : wanted.filter((key) => key !== null)
}

function orderOf({ order_field, order_asc }: ListInput): { field: 'name' | 'status' | 'figures'; ascending: boolean } {
  const ascending = order_asc ?? true
  if (order_field === 'name' || order_field === 'status') return { field: order_field, ascending }
  if (order_field === undefined || order_field === null || order_field === '') return { field: 'figures', ascending }
  if (['impressions', 'clicks', 'conversions', 'spent'].includes(order_field)) return { field: 'figures', ascending }
  throw refused(2, [{ path: 'order_field', code: 2, message: 'The list cannot be ordered by this field' }])
}

function checkPeriod({ from_date, to_date }: ListInput): void {
  const read = (path: string, value: string | number | null | undefined, edge: 'start' | 'end') => {
    if (value === null || value === undefined || value === '') return null
    const instant = readInstant(value, edge, 0)
    if (instant === undefined) throw refused(11, [{ path, code: 11, message: 'Invalid date format' }])
    return instant
  }
  const from = read('from_date', from_date, 'start')
  const to = read('to_date', to_date, 'end')
  if (from !== null && to !== null && from > to)
    throw refused(1303, [{ path: 'from_date', code: 1303, message: 'Start date must be before end date' }])
}

const spotFaults = (multiplier: number | null, budget: number | null) => [
  ...(multiplier === null || multiplier <= 0
    ? [{ path: 'cpm_multiplier', code: 2 as const, message: 'Failed to get CPM multiplier!' }]
    : []),
  ...(budget === null || budget < 0
    ? [{ path: 'daily_budget', code: 2 as const, message: 'Only positive numbers allowed.' }]
    : []),
]
