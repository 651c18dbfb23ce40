import type { ScheduledChangeOut } from '#contract/schedules'

/** For tests: a change that waits. */
export const scheduledWith = (patch: Partial<ScheduledChangeOut> = {}): ScheduledChangeOut => ({
  id: 'change-1',
  campaign_id: 'campaign-1',
  campaign_name: 'Autumn',
  space_id: 'space-1',
  account_name: 'Nile Foods',
  currency: 'USD',
  budget_type_key: 2,
  timezone_offset_seconds: 7200,
  group: null,
  act: 'save',
  fields: { budget: 120 },
  due_at: '2026-11-06T16:00:00.000Z',
  note: 'Weekend',
  state: 'waiting',
  version: 3,
  by: 'Ada Nile',
  created_at: '2026-11-02T09:00:00.000Z',
  ended_at: null,
  revision: null,
  code: null,
  faults: [],
  ...patch,
})
