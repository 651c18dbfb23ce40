import { describe, expect, it } from 'vitest'
import { listRowWith } from '@/test/fake-server'
import { EMPTY_SCHEDULE, formOf, instantOf, momentFaults, momentOf, plannedFor, type ScheduleForm } from './schedule-plan.ts'

const CAIRO = 7200
const NOW = Date.parse('2026-12-01T12:00:00.000Z')
const row = listRowWith({ budget: 80, timezone_offset_seconds: CAIRO })
const at = { day: '2026-12-04', time: '18:00' }
const back = { day: '2026-12-07', time: '9:00' }
const form = (patch: Partial<ScheduleForm>): ScheduleForm => ({ ...EMPTY_SCHEDULE, at, ...patch })
const typed = (value: string) => ({ ...EMPTY_SCHEDULE.change, typed: value })

describe('a moment', () => {
  it.each([
    ['18:00', '2026-12-04T16:00:00.000Z'],
    ['9:05', '2026-12-04T07:05:00.000Z'],
    ['0030', '2026-12-03T22:30:00.000Z'],
    ['7.15', '2026-12-04T05:15:00.000Z'],
  ])('%s is read in the zone of the campaign', (time, instant) => {
    expect(instantOf({ ...at, time }, CAIRO)).toBe(instant)
    expect(momentOf(instant, CAIRO).day).toBe(at.day)
  })

  it.each([
    [{ ...at, day: '2026-02-30' }, 'day'],
    [{ ...at, time: '24:00' }, 'time'],
    [{ ...at, time: 'noon' }, 'time'],
    [{ day: '2026-12-01', time: '14:00' }, 'soon'],
    [{ day: '2027-12-03', time: '14:00' }, 'far'],
    [at, null],
    [{ ...at, day: '' }, null],
  ])('%j has the fault %s', (moment, fault) => {
    expect(momentFaults({ at: moment, back: null }, CAIRO, NOW).at).toBe(fault)
  })

  it('a moment of the way back is later than the first one', () => {
    expect(momentFaults({ at, back }, CAIRO, NOW)).toEqual({ at: null, back: null })
    expect(momentFaults({ at, back: at }, CAIRO, NOW)).toEqual({ at: null, back: 'back' })
  })
})

describe('the plan of scheduled changes', () => {
  it('a scheduled budget is the new one, and on the way back the one that the campaign has now', () => {
    expect(plannedFor(row, form({ change: typed('120'), back }), null)).toEqual({
      kind: 'planned',
      changes: [
        { act: 'save', fields: { budget: 120 }, due_at: '2026-12-04T16:00:00.000Z' },
        { act: 'save', fields: { budget: 80 }, due_at: '2026-12-07T07:00:00.000Z' },
      ],
    })
  })

  it('a scheduled budget is a percent of what the campaign has now', () => {
    const change = { ...typed('50'), how: 'raise' } as const
    expect(plannedFor(row, form({ change }), null)).toMatchObject({ changes: [{ fields: { budget: 120 } }] })
  })

  it('a scheduled pause has the run after it, and an archive has no way back', () => {
    expect(plannedFor(row, form({ what: 'pause', back }), null)).toMatchObject({ changes: [{ act: 'pause' }, { act: 'run' }] })
    expect(plannedFor(row, form({ what: 'archive', back }), null)).toMatchObject({ changes: [{ act: 'archive' }] })
  })

  it('waits for what is not typed, and for the bid', () => {
    expect(plannedFor(row, form({}), null).kind).toBe('waiting')
    expect(plannedFor(row, form({ change: typed('120'), at: { ...at, day: '' } }), null).kind).toBe('waiting')
    expect(plannedFor(row, form({ change: { ...typed('2'), field: 'bid' } }), null).kind).toBe('waiting')
  })

  it('nothing is scheduled for a campaign that cannot take it', () => {
    const change = { ...typed('50'), how: 'raise' } as const
    expect(plannedFor({ ...row, budget: null }, form({ change }), null)).toEqual({ kind: 'refused', reason: 'noBudget' })
    expect(plannedFor(row, form({ change: typed('80') }), null)).toEqual({ kind: 'refused', reason: 'same' })
  })
})

describe('the controls for a change that waits', () => {
  const due_at = '2026-12-04T16:00:00.000Z'
  it.each([
    [{ budget: 120 }, { field: 'budget', typed: '120' }],
    [
      { manual_cpx: true, user_cpx: 2.5 },
      { field: 'bid', typed: '2.5' },
    ],
    [{ campaign_end_at: null }, { field: 'end', dateHow: 'remove' }],
    [{ campaign_start_at: '2026-12-20' }, { field: 'start', day: '2026-12-20' }],
  ])('the controls for a change that waits hold %j', (fields, change) => {
    const { form: shown, editable } = formOf({ act: 'save', fields, due_at, note: 'n' }, CAIRO)
    expect(editable).toBe(true)
    expect(shown).toMatchObject({ what: 'values', at, change, note: 'n' })
  })

  it('the controls for a change that waits are those of the time alone for other fields', () => {
    expect(formOf({ act: 'save', fields: { name: 'N', budget: 1 }, due_at, note: '' }, CAIRO).editable).toBe(false)
  })
})
