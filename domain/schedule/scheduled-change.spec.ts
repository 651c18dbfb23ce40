import { describe, expect, it } from 'vitest'
import { instantFault, lateRefusal, step, type ScheduledChange, type ScheduleStep } from './scheduled-change.ts'

const NOW = '2026-06-01T09:00:00.000Z'
const waiting: ScheduledChange = {
  state: 'waiting',
  version: 2,
  act: { kind: 'pause' },
  dueAt: '2026-06-01T10:00:00.000Z',
  note: '',
  outcome: null,
}
const edit: ScheduleStep = { type: 'Edit', act: { kind: 'run' }, dueAt: '2026-06-02T09:00:00.000Z', note: 'n', version: 2 }
const end: ScheduleStep = { type: 'End', outcome: { state: 'done', revision: 7 } }

describe('the time of a scheduled change', () => {
  it.each([
    ['2026-06-01T09:00:59.999Z', 'scheduleTooSoon'],
    ['2026-05-01T09:00:00.000Z', 'scheduleTooSoon'],
    ['no instant', 'scheduleTooSoon'],
    ['2026-06-01T09:01:00.000Z', undefined],
    ['2027-06-02T09:00:00.000Z', undefined],
    ['2027-06-02T09:00:00.001Z', 'scheduleTooFar'],
  ])('%s is checked', (dueAt, key) => {
    expect(instantFault(dueAt, NOW)?.key).toBe(key)
  })

  it('the time of a scheduled change is at most 24 hours past when it is carried out', () => {
    expect(lateRefusal(waiting, '2026-06-02T10:00:00.000Z')).toBeNull()
    expect(lateRefusal(waiting, '2026-06-02T10:00:00.001Z')).toMatchObject({ code: 2, faults: [{ key: 'scheduleTooLate' }] })
  })
})

describe('a scheduled change', () => {
  it('a scheduled change that waits is edited under a new version', () => {
    expect(step(waiting, edit, NOW)).toMatchObject({ state: 'waiting', version: 3, act: { kind: 'run' }, note: 'n' })
  })

  it('a scheduled change is not edited at an older version, or to a time that has passed', () => {
    expect(step(waiting, { ...edit, version: 1 }, NOW)).toMatchObject({ code: 140 })
    expect(step(waiting, { ...edit, dueAt: NOW }, NOW)).toMatchObject({ code: 2 })
  })

  it('begins when it is due, at the version that was found', () => {
    const later = '2026-06-01T10:00:00.000Z'
    expect(step(waiting, { type: 'Begin', version: 2 }, NOW)).toMatchObject({ code: 134 })
    expect(step(waiting, { type: 'Begin', version: 1 }, later)).toMatchObject({ code: 140 })
    expect(step(waiting, { type: 'Begin', version: 2 }, later)).toMatchObject({ state: 'under_way' })
  })

  it.each(['under_way', 'done', 'refused', 'cancelled'] as const)(
    'a scheduled change that is %s is neither edited, cancelled nor begun',
    (state) => {
      for (const taken of [edit, { type: 'Cancel' }, { type: 'Begin', version: 2 }] as const)
        expect(step({ ...waiting, state }, taken, '2026-06-01T11:00:00.000Z')).toMatchObject({ code: 134 })
    },
  )

  it('ends once, after it began', () => {
    expect(step(waiting, end, NOW)).toMatchObject({ code: 134 })
    const done = step({ ...waiting, state: 'under_way' }, end, NOW)
    expect(done).toMatchObject({ state: 'done', outcome: { revision: 7 } })
    expect(step({ ...waiting, state: 'done' }, end, NOW)).toMatchObject({ code: 134 })
  })
})
