import { actorNamer } from '#commands/identity/person'
import { accepted, Refused, refused } from '#commands/refused'
import type { Place } from '#domain/kit/access'
import { refusalOf, type Fault, type Rejection } from '#domain/kit/errors'
import { fromMicros } from '#domain/kit/money'
import { instantFault, type ScheduledAct } from '#domain/schedule/scheduled-change'
import type { PlannedChange, ScheduledChangeOut, ScheduledFieldsInput } from '#contract/schedules'
import { campaignsWithAccounts, type ListedPlainly } from '#projections/campaign/list/brief-queries'
import type { ScheduledChanges, ScheduledRow } from '#platform/schedule/scheduled-changes'
import { authorize, issueOf, type Caller } from '#api/http/caller'
import { readableSpace } from '../campaign/lists.ts'
import { readPatch } from '../campaign/patch.ts'
import type { Served } from '#api/areas/services'

type Listing = {
  readonly campaign_id?: string | undefined
  readonly space_id?: string | undefined
  readonly state: 'waiting' | 'ended'
  readonly page: number
  readonly page_size: number
}
type NewSchedule = {
  readonly changes: readonly PlannedChange[]
  readonly note?: string | null | undefined
  readonly group?: string | null | undefined
}
type Edit = PlannedChange & { readonly note?: string | null | undefined; readonly version: number }

/** The calls of scheduled changes. */
export function createScheduleCalls(
  kit: Served<'accounts' | 'campaigns' | 'commands.campaigns' | 'db' | 'people' | 'store'>,
  scheduled: ScheduledChanges,
) {
  const { campaigns } = kit.commands

  async function writable(caller: Caller, campaignId: string): Promise<Place> {
    const place = await kit.campaigns.placeOf(campaignId)
    authorize(caller.actor, 'campaign.write', place)
    return place
  }

  /** A change that the caller may edit; 131 for one out of reach. */
  async function changeable(caller: Caller, id: string): Promise<ScheduledRow & { readonly place: Place }> {
    const row = await scheduled.find(id)
    const place = row === null ? null : { spaceId: row.space_id, whitelabelId: row.whitelabel_id }
    authorize(caller.actor, 'campaign.write', place, 131)
    if (row === null) throw refused(131)
    return { ...row, place }
  }

  /** Throws what the campaign would refuse now. What depends on the state of the day alone is decided when it is due. */
  async function tried(caller: Caller, place: Place, campaignId: string, planned: PlannedChange): Promise<ScheduledAct> {
    const soon = instantFault(planned.due_at, kit.now())
    if (soon !== null) throw refused(2, [soon])
    const act = actOf(planned)
    if (act.kind === 'save') {
      accepted(await campaigns.scheduled(campaignId, issueOf(caller, place, true), act))
    } else if ((await campaigns.load(campaignId)).archived) throw refused(134)
    return act
  }

  const committed = async (rejection: Rejection | null): Promise<string> => {
    if (rejection !== null) throw new Refused(rejection)
    return String(await kit.store.head())
  }

  return {
    async list(caller: Caller, { campaign_id: campaignId, space_id: spaceId, state, page, page_size: size }: Listing) {
      const reach = { whitelabelId: null, spaceId: null, campaignId: campaignId ?? null }
      if (campaignId !== undefined) authorize(caller.actor, 'campaign.read', await kit.campaigns.placeOf(campaignId))
      const within = campaignId === undefined ? { ...reach, ...(await readableSpace(kit, caller, spaceId)) } : reach
      const { rows, total } = await scheduled.list(within, state === 'ended', page, size)
      const [people, listed] = await Promise.all([
        kit.people.namesOf([...new Set(rows.map((row) => row.person_id))]),
        campaignsWithAccounts(kit.db, [...new Set(rows.map((row) => row.campaign_id))]),
      ])
      const known = new Map(listed.map((campaign) => [campaign.id, campaign]))
      const data = rows.map((row) => {
        const by = actorNamer(caller.actor, row.space_id, people)(row.person_id, 'CampaignUpdated')
        return scheduledOut(row, known.get(row.campaign_id), by)
      })
      return { current_page: page, page_size: size, total_size: total, data }
    },

    async create(caller: Caller, campaignId: string, { changes, note, group }: NewSchedule, dryRun: boolean) {
      const place = await writable(caller, campaignId)
      const [first, back] = changes
      if (first !== undefined && back !== undefined && Date.parse(back.due_at) <= Date.parse(first.due_at))
        throw refused(2, [backFault])
      const planned = []
      for (const [n, change] of changes.entries()) {
        const act = await tried(caller, place, campaignId, change)
        planned.push({ id: kit.derivedId('scheduled-change', caller.commandId, String(n)), act, dueAt: change.due_at })
      }
      const position = String(await kit.store.head())
      if (dryRun) return { ids: [], position }
      const added = await scheduled.add({
        ...place,
        personId: caller.actor.userId,
        campaignId,
        groupId: group ?? (changes.length > 1 ? kit.derivedId('schedule-group', caller.commandId) : null),
        note: note?.trim() ?? '',
        changes: planned,
      })
      if (added.kind === 'full')
        throw refused(2, [
          {
            path: 'changes',
            code: 2,
            message: `At most ${added.most} scheduled changes of the ${added.of} may wait`,
            key: 'scheduleFull',
            params: { max: added.most },
          },
        ])
      return { ids: planned.map(({ id }) => id), position }
    },

    async change(caller: Caller, id: string, edit: Edit) {
      const { campaign_id: campaignId, place } = await changeable(caller, id)
      const act = await tried(caller, place, campaignId, edit)
      const { due_at: dueAt, version, note } = edit
      const taken = { type: 'Edit', act, dueAt, note: note?.trim() ?? '', version } as const
      return { id, position: await committed(await scheduled.change(id, taken, caller.actor.userId)) }
    },

    async cancel(caller: Caller, id: string) {
      await changeable(caller, id)
      return { id, position: await committed(await scheduled.change(id, { type: 'Cancel' }, caller.actor.userId)) }
    },
  }
}

const backFault: Fault = {
  path: 'changes[1].due_at',
  code: 2,
  message: 'The way back must be later than the change',
  key: 'scheduleBackTooSoon',
}
const fieldsFault: Fault = { path: 'fields', code: 2, message: 'A save needs at least one field', key: 'required' }

function actOf({ act, fields }: PlannedChange): ScheduledAct {
  if (act !== 'save') return { kind: act }
  if (fields === null || fields === undefined || Object.keys(fields).length === 0) throw refused(2, [fieldsFault])
  const { patch, faults } = readPatch(fields)
  const refusal = refusalOf(faults)
  if (refusal !== null) throw new Refused(refusal)
  return { kind: 'save', fields: patch }
}

function scheduledOut(row: ScheduledRow, campaign: ListedPlainly | undefined, by: string): ScheduledChangeOut {
  const { act, rejection } = row
  return {
    id: row.id,
    campaign_id: row.campaign_id,
    campaign_name: campaign?.name ?? '',
    space_id: row.space_id,
    account_name: campaign?.account_name ?? '',
    currency: campaign?.currency ?? null,
    budget_type_key: campaign?.budget_type_key ?? null,
    timezone_offset_seconds: campaign?.timezone_offset_seconds ?? null,
    group: row.group_id,
    act: act.kind,
    fields: act.kind === 'save' ? fieldsOut(act.fields) : null,
    due_at: row.due_at.toISOString(),
    note: row.note,
    state: row.state,
    version: row.version,
    by,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    revision: row.revision,
    code: rejection?.code ?? null,
    faults: [...(rejection?.faults ?? [])],
  }
}

type Fields = Extract<ScheduledAct, { readonly kind: 'save' }>['fields']
const unitsOf = (micros: number | null): number | null => (micros === null ? null : fromMicros(micros))

/** Fields as they were sent: money in units. */
const fieldsOut = ({ budget, user_cpx, ...rest }: Fields): ScheduledFieldsInput => ({
  ...rest,
  ...(budget === undefined ? {} : { budget: unitsOf(budget) }),
  ...(user_cpx === undefined ? {} : { user_cpx: unitsOf(user_cpx) }),
})
