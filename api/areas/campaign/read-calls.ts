import type { Served } from '#api/areas/services'
import { actorNamer } from '#commands/identity/person'
import type { Actor } from '#domain/kit/access'
import { isOwnerPath } from '#domain/campaign/content/content'
import { reviewDueAt } from '#domain/campaign/review/review-time'
import { CAMPAIGN_METRICS, figuresOf, NOTHING_COUNTED, type Metric } from '#domain/reports/figures'
import { localDay } from '#domain/campaign/content/dates'
import { fromMicros } from '#domain/kit/money'
import { accountNames } from '#projections/account/account-names'
import { labelsOf } from '#projections/campaign/list/label-queries'
import { spendOf, spendUntil } from '#projections/campaign/list/money-queries'
import {
  countCampaigns,
  listCampaigns,
  type ListedCampaign,
  type ListFilter,
  type Reach,
} from '#projections/campaign/list/queries'
import {
  countRevisions,
  revisionIndex,
  revisionPage,
  revisionsAfter,
  type RevisionEntry,
  type RevisionFilter,
} from '#projections/campaign/revisions/queries'
import { moderationQueue } from '#projections/campaign/queue/queries'
import { waitingRegistrants, type RegistrantRow } from '#projections/registration/queries'
import { MOST_AUTHORS, type LogEntry, type RevisionAuthor, type RevisionLine } from '#contract/audit'
import type { ListInput, ListRow } from '#contract/campaign-list'
import type { QueueInput } from '#contract/moderation'
import { refused } from '#commands/refused'
import { servedAudiences } from '../audience/served-audiences.ts'
import { viewerAt } from './answers.ts'
import { authorize, type Caller } from '#api/http/caller'
import { readableCampaign } from './readable-campaign.ts'
import type { Moment } from '../as-of.ts'
import { adminReach, labelIdsOf, reachFor, readableSpace, readableSpaces, statusesOf } from './lists.ts'
import type { FactScope } from '#factstore/fact-store'
import { Away } from '#eventstore/away'
import { figuresOfSums, only, scopeOf } from '#commands/reports/figures'
import { periodOf, type Period } from '#api/http/period'
import { campaignOut, changesOut, contentOut, reasonsOut, seesOwnerFields, type Viewer } from './wire.ts'

const MAX_PAGE = 150

/** Lists, one campaign, the change log, the moderation queue: all from read models. */
export function createReadCalls(deps: Served<'accounts' | 'audiences' | 'campaigns' | 'db' | 'facts' | 'people'> & Moment) {
  const { asOf = null } = deps

  /** Figures delivered after the moment were not there. */
  const until = ({ from, to }: Period): Period => ({ from, to: asOf !== null && (to === null || to > asOf) ? asOf : to })

  /** Registrations that wait; an account that campaigns are filtered by has none. */
  async function registrantsIn(whitelabelId: string | null, page: number, pageSize: number) {
    const { rows, total } = await waitingRegistrants(deps.db, whitelabelId, page, pageSize)
    return { total_size: total, data: rows.map(registrantOut) }
  }

  async function list(caller: Caller, input: ListInput, reach: Reach) {
    const period = until(periodOf(input))
    const spaceIds = await readableSpaces(deps, caller, input.space_ids)
    const pageSize = Math.min(MAX_PAGE, Math.max(1, input.pageSize ?? input.page_size ?? 10))
    const page = Math.max(0, input.page ?? 0)
    const asked = orderOf(input)
    const order: ListFilter['order'] = isFigure(asked.field)
      ? { field: 'figures', ascending: asked.ascending, values: await valuesOf(asked.field, reach, period) }
      : { field: asked.field, ascending: asked.ascending }
    const { rows, total } = await listCampaigns(deps.db, {
      reach,
      spaceIds,
      name: input.name?.trim() || null,
      statuses: statusesOf(input.status_filter),
      labels: labelIdsOf(input),
      order,
      page,
      pageSize,
    })
    const [figures, audiences, labels] = await Promise.all([
      figuresFor(rows, period),
      audiencesOf(rows),
      labelsOf(
        deps.db,
        rows.map(({ id }) => id),
      ),
    ])
    const data = await Promise.all(
      rows.map(async (row, i) => {
        const viewer = await viewerIn(audiences, caller.actor, row)
        return rowOut(row, viewer, { ...(figures[i] ?? NO_FIGURES), labels: [...(labels.get(row.id) ?? [])] })
      }),
    )
    return { current_page: page, page_size: pageSize, total_size: total, data }
  }

  /** Values of one figure, by campaign, to order a list by; campaigns without facts are missing. */
  async function valuesOf(metric: Metric, reach: Reach, { from, to }: Period): Promise<ReadonlyMap<string, number>> {
    const sums = await sumsOf(scopeOf(reach), { from, to })
    return new Map([...(sums ?? [])].map(([id, sum]) => [id, figuresOfSums(sum)[metric]]))
  }

  /** Sums by campaign; null while their store is away: a campaign can be found and paused without its figures. */
  const sumsOf = (scope: FactScope, { from, to }: Period) =>
    deps.facts.byCampaign({ scope, from, to }).catch((error: unknown) => {
      if (error instanceof Away) return null
      throw error
    })

  /** Figures of the period, and billed spend of all time and of the campaign's local day (decisions G-082). */
  async function figuresFor(rows: readonly ListedCampaign[], { from, to }: Period) {
    const ids = rows.map(({ id }) => id)
    const now = deps.now()
    const [sums, spend] = await Promise.all([
      sumsOf({ kind: 'campaigns', ids }, { from, to }),
      asOf === null
        ? spendOf(
            deps.db,
            rows.map(({ id, state }) => ({ campaignId: id, localDay: localDay(now, state.head.timezone_offset_seconds ?? 0) })),
          )
        : spendUntil(
            deps.db,
            rows.map(({ id, space_id, state }) => ({
              campaignId: id,
              spaceId: space_id,
              zone: state.head.timezone_offset_seconds ?? 0,
            })),
            asOf,
          ),
    ])
    return ids.map((id, i) => {
      const sum = sums?.get(id)
      const figures =
        sums === null
          ? UNKNOWN
          : (only(CAMPAIGN_METRICS, sum === undefined ? NO_FIGURES_OF_SUMS : figuresOfSums(sum)) as ListedFigures)
      return {
        ...figures,
        budget_spent: fromMicros(spend[i]?.total ?? 0),
        daily_budget_spent: fromMicros(spend[i]?.today ?? 0),
        report_data: { cpa: figures.cpa, cvr: figures.cvr },
      }
    })
  }

  /** The audiences that bidders read with each campaign. Of the past it is not known how many members they had. */
  const audiencesOf = async (rows: readonly Pick<ListedCampaign, 'state'>[]) =>
    asOf === null
      ? servedAudiences(
          deps,
          rows.map(({ state }) => state),
        )
      : null

  const viewerIn = (audiences: Awaited<ReturnType<typeof audiencesOf>>, actor: Actor, { id, state }: ListedCampaign) =>
    viewerAt(deps.people, actor, state, deps.now(), audiences === null ? null : (audiences.get(id) ?? []))

  function rowOut(row: ListedCampaign, viewer: Viewer, figures: RowFigures & Pick<ListRow, 'labels'>): ListRow {
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
      ...figures,
    }
  }

  async function namerOf(actor: Actor, spaceId: string, entries: readonly { readonly actor: string }[]) {
    const ids = new Set(entries.map((entry) => entry.actor).filter((id) => !isSystem(id)))
    return actorNamer(actor, spaceId, await deps.people.namesOf([...ids]))
  }

  return {
    async get(caller: Caller, id: string) {
      const row = await readableCampaign(deps, caller, id)
      const [figures = NO_FIGURES] = await figuresFor([row], until(ALL_TIME))
      return {
        ...campaignOut(row.state, await viewerIn(await audiencesOf([row]), caller.actor, row)),
        budget_spent: figures.budget_spent,
        daily_budget_spent: figures.daily_budget_spent,
        impressions: figures.impressions,
        clicks: figures.clicks,
      }
    },

    async list(caller: Caller, input: ListInput) {
      return list(caller, input, await readableSpace(deps, caller, input.space_id))
    },

    async adminList(caller: Caller, input: ListInput) {
      return list(caller, input, await adminReach(deps, caller, input))
    },

    /** Names for the filter by account. */
    async adminAccounts(
      { actor }: Caller,
      { name, space_ids: ids }: { readonly name?: string | null | undefined; readonly space_ids?: ListInput['space_ids'] },
    ) {
      const { whitelabelId } = reachFor(actor)
      return [
        ...(await accountNames(deps.db, { whitelabelId, name: name?.trim() || null, ids: ids?.length ? ids : null }, MAX_PAGE)),
      ]
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
      return (await deps.campaigns.port.account(place.spaceId))?.maxMargin ?? deps.campaigns.port.maxMargin
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

    async revisionAuthors(caller: Caller, id: string, after: number): Promise<RevisionAuthor[]> {
      const row = await readableCampaign(deps, caller, id)
      const entries = await revisionsAfter(deps.db, id, after, MOST_AUTHORS)
      const namer = await namerOf(caller.actor, row.space_id, entries)
      return entries.map((entry) => {
        const { revision, author, commit_date } = logLineOut(entry, namer)
        return { revision, author, own: entry.actor === caller.actor.userId, commit_date }
      })
    },

    async revisionCount(caller: Caller, id: string): Promise<number> {
      await readableCampaign(deps, caller, id, 'log.read')
      return countRevisions(deps.db, id)
    },

    async queue(caller: Caller, input: QueueInput) {
      const pageSize = Math.min(MAX_PAGE, Math.max(1, input.page_size ?? 25))
      const page = Math.max(0, input.page ?? 0)
      const reach = input.space_id ? await readableSpace(deps, caller, input.space_id) : reachFor(caller.actor)
      const choice = { filter: input.filter ?? 'all', personId: caller.actor.userId }
      const [{ rows, total }, registrants] = await Promise.all([
        moderationQueue(deps.db, reach, choice, page, pageSize),
        reach.spaceId === null ? registrantsIn(reach.whitelabelId, page, pageSize) : NO_REGISTRANTS,
      ])
      const names = await deps.people.namesOf([
        ...new Set(rows.flatMap(({ holder, assignee_id }) => [holder?.id ?? null, assignee_id]).filter((id) => id !== null)),
      ])
      const nameOf = (id: string) => names.get(id)?.name ?? ''
      const data = rows.map(({ assignee_id, ...row }) => ({
        ...row,
        due_at: reviewDueAt(row.moderation_start_at),
        holder: row.holder === null ? null : { ...row.holder, name: nameOf(row.holder.id) },
        assignee: assignee_id === null ? null : { id: assignee_id, name: nameOf(assignee_id) },
      }))
      return { current_page: page, page_size: pageSize, total_size: total, data, registrants }
    },
  }
}

const NO_REGISTRANTS = { total_size: 0, data: [] }

const registrantOut = ({
  id,
  company_name,
  first_name,
  last_name,
  email,
  phone,
  country,
  currency,
  created_at,
}: RegistrantRow) => ({
  id,
  company_name,
  first_name,
  last_name,
  email,
  phone,
  country,
  currency,
  created_at,
  due_at: reviewDueAt(created_at),
})

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

type ListedFigures = Record<(typeof CAMPAIGN_METRICS)[number], number | null>
const UNKNOWN = Object.fromEntries(CAMPAIGN_METRICS.map((metric) => [metric, null])) as ListedFigures
type RowFigures = ListedFigures & Pick<ListRow, 'budget_spent' | 'daily_budget_spent' | 'report_data'>

const ALL_TIME: Period = { from: null, to: null }

const NO_FIGURES_OF_SUMS = figuresOf(NOTHING_COUNTED)
const NO_FIGURES: RowFigures = {
  ...NO_FIGURES_OF_SUMS,
  budget_spent: 0,
  daily_budget_spent: 0,
  report_data: { cpa: 0, cvr: 0 },
}

const creativeStatusOf = (text: string | null): ListRow['creative_status'] =>
  text === 'approved' || text === 'pending' || text === 'disapproved' ? text : null

type Ordered = 'name' | 'status' | (typeof CAMPAIGN_METRICS)[number]
const isFigure = (field: Ordered): field is (typeof CAMPAIGN_METRICS)[number] => field !== 'name' && field !== 'status'

/** Without a field: by status, then newest first. */
function orderOf({ order_field, order_asc }: ListInput): { field: Ordered; ascending: boolean } {
  const ascending = order_asc ?? true
  if (order_field === undefined || order_field === null || order_field === '') return { field: 'status', ascending: true }
  const field = ['name', 'status', ...CAMPAIGN_METRICS].find((known) => known === order_field) as Ordered | undefined
  if (field === undefined)
    throw refused(2, [{ path: 'order_field', code: 2, message: 'The list cannot be ordered by this field' }])
  return { field, ascending }
}
