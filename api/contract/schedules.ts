import { ACT_KINDS, LONGEST_NOTE, SCHEDULE_STATES } from '#domain/schedule/scheduled-change'
import { BASIC_INFO } from '#domain/campaign/content/fields/basic-info'
import { dryRunQuery, idParams } from './campaign-answers.ts'
import { inputsOf } from './fields.ts'
import { endpoint, fault, named, page, position } from './http.ts'
import { budgetTypeKey } from './sets.ts'
import { z } from './zod.ts'

/** Changes of campaigns that are carried out later (fine print 100). */

const { name, budget, budget_type_key, manual_cpx, user_cpx, campaign_start_at, campaign_end_at } = inputsOf(BASIC_INFO)
/** Free fields only. Another one is refused, since one that is ignored would be missed when the change is due. */
const scheduledFields = named(
  'ScheduledFields',
  z.strictObject({ name, budget, budget_type_key, manual_cpx, user_cpx, campaign_start_at, campaign_end_at }),
)
export type ScheduledFieldsInput = z.infer<typeof scheduledFields>

const note = z.string().check(z.maxLength(LONGEST_NOTE))
const plan = {
  act: z.enum(ACT_KINDS),
  /** With the act `save`: money in currency units. */
  fields: z.nullish(scheduledFields),
  /** An instant, ISO 8601: at least one minute and at most 366 days ahead. */
  due_at: z.iso.datetime({ offset: true }),
}
const plannedChange = named('PlannedChange', z.object(plan))
export type PlannedChange = z.infer<typeof plannedChange>

const scheduledChange = named(
  'ScheduledChange',
  z.object({
    id: z.string(),
    campaign_id: z.string(),
    /** Empty right after the campaign was made. */
    campaign_name: z.string(),
    space_id: z.string(),
    account_name: z.string(),
    /** Currency of the account. Null right after the campaign was made, as the next two. */
    currency: z.nullable(z.string()),
    budget_type_key: z.nullable(budgetTypeKey),
    /** Offset of the campaign: its times are in this zone. */
    timezone_offset_seconds: z.nullable(z.number()),
    /** The same for changes that were scheduled together. */
    group: z.nullable(z.string()),
    act: z.enum(ACT_KINDS),
    fields: z.nullable(scheduledFields),
    due_at: z.string(),
    note: z.string(),
    state: z.enum(SCHEDULE_STATES),
    /** For edits: one that was made meanwhile refuses them with 140. */
    version: z.number(),
    /** User who scheduled it, or edited it last: it is carried out with the rights that they have then. */
    by: z.string(),
    created_at: z.string(),
    /** Null while it waits. */
    ended_at: z.nullable(z.string()),
    /** The campaign's revision, once it was carried out. */
    revision: z.nullable(z.number()),
    /** Why it was refused; null otherwise. */
    code: z.nullable(z.number()),
    faults: z.array(fault),
  }),
)
export type ScheduledChangeOut = z.infer<typeof scheduledChange>

export const listScheduled = endpoint({
  id: 'schedule.list',
  reads: ['campaign-list'],
  method: 'GET',
  path: '/v1/schedule',
  access: 'campaign.read',
  summary: 'Scheduled changes of a campaign or an account: those that wait, the next one first; or those that ended',
  query: z.object({
    campaign_id: z.optional(z.string()),
    space_id: z.optional(z.string()),
    state: z._default(z.enum(['waiting', 'ended']), 'waiting'),
    page: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000)), 0),
    page_size: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 20),
  }),
  output: page(scheduledChange),
})

export const scheduleChanges = endpoint({
  id: 'schedule.create',
  reads: [],
  method: 'POST',
  path: '/v1/campaign/:id/schedule',
  access: 'campaign.write',
  summary: 'Schedule a change of a campaign, or a change and its way back; all of them or none',
  params: idParams,
  query: dryRunQuery,
  body: 'json',
  input: z.object({
    changes: z.array(plannedChange).check(z.minLength(1), z.maxLength(2)),
    note: z.nullish(note),
    group: z.nullish(z.string().check(z.maxLength(64))),
  }),
  output: z.object({ ids: z.array(z.string()), position }),
  write: true,
})

const oneId = z.object({ id: z.string(), position })

export const changeScheduled = endpoint({
  id: 'schedule.change',
  reads: [],
  method: 'PUT',
  path: '/v1/schedule/:id',
  access: 'campaign.write',
  summary: 'Edit what waits: from then on it belongs to who edited it; 131 for an unknown one, 134 for one that does not wait',
  params: idParams,
  body: 'json',
  input: z.object({ ...plan, note: z.nullish(note), version: z.int() }),
  output: oneId,
  write: true,
})

export const cancelScheduled = endpoint({
  id: 'schedule.cancel',
  reads: [],
  method: 'DELETE',
  path: '/v1/schedule/:id',
  access: 'campaign.write',
  summary: 'Cancel what waits; 131 for an unknown one, 134 for one that does not wait',
  params: idParams,
  output: oneId,
  write: true,
})

export const SCHEDULE_ENDPOINTS = [listScheduled, scheduleChanges, changeScheduled, cancelScheduled]
