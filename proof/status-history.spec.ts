import { describe, expect, it } from 'vitest'
import { at, history, LAUNCHED } from '#test/support/campaign-history'
import { replay } from './replay.ts'
import { statusHistory } from './status-history.ts'

describe('the status history', () => {
  it('the status history has an entry for a change of reasons alone, and none for a commit that changes neither', () => {
    const found = statusHistory(
      history(
        ...LAUNCHED,
        ['10:00', { type: 'CampaignSwitchedOff', data: {} }],
        ['11:00', { type: 'DayBudgetReached', data: { day: '2026-11-01' } }],
        ['12:00', { type: 'CampaignSwitchedOff', data: {} }],
        ['13:00', { type: 'CampaignSwitchedOn', data: {} }],
      ),
    )
    const own = { actor: 'user', ended: [] }
    expect(found).toEqual([
      {
        ...own,
        revision: 1,
        at: at('08:00'),
        status_key: 1,
        previous_status_key: null,
        reasons: ['in_moderation'],
        cause: 'CampaignSwitchedOn',
      },
      {
        ...own,
        revision: 2,
        at: at('09:00'),
        status_key: 3,
        previous_status_key: 1,
        reasons: ['running'],
        ended: ['in_moderation'],
        cause: 'CampaignLaunched',
      },
      {
        ...own,
        revision: 3,
        at: at('10:00'),
        status_key: 41,
        previous_status_key: 3,
        reasons: ['paused'],
        ended: ['running'],
        cause: 'CampaignSwitchedOff',
      },
      {
        ...own,
        revision: 4,
        at: at('11:00'),
        status_key: 41,
        previous_status_key: 41,
        reasons: ['paused', 'day_budget_reached'],
        cause: 'DayBudgetReached',
      },
      {
        ...own,
        revision: 6,
        at: at('13:00'),
        status_key: 31,
        previous_status_key: 41,
        reasons: ['day_budget_reached'],
        ended: ['paused'],
        cause: 'CampaignSwitchedOn',
      },
    ])
  })
})

describe('a replay at an instant', () => {
  function revisionAt(time: string): unknown {
    const replayed = replay(history(...LAUNCHED), { time })
    return replayed.kind === 'state' ? replayed.state.revision : replayed.rejection.code
  }

  it('includes the commit of exactly that instant, and none after it', () => {
    expect(revisionAt(at('08:00'))).toBe(1)
    expect(revisionAt('2026-11-01T08:59:59.999Z')).toBe(1)
    expect(revisionAt(at('09:00'))).toBe(2)
    expect(revisionAt('2026-11-01T10:00:00+01:00')).toBe(2)
    expect(revisionAt('2026-11-01T07:59:59.999Z')).toBe(130)
  })
})
