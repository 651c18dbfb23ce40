import { expect, it } from 'vitest'
import { STATUS_KEYS } from '#domain/campaign/status/status-keys'
import { statusesOf } from './lists.ts'

const NAMES: Readonly<Record<number, string>> = {
  0: 'draft',
  1: 'in_moderation',
  2: 'rejected',
  3: 'running',
  5: 'archived',
  6: 'waiting_for_ad_exchange',
  31: 'running_daily_budget_reached',
  40: 'waiting_to_start',
  41: 'paused',
  42: 'finished_budget_spent',
  43: 'finished_overdue',
  44: 'paused_due_to_user_balance_spent',
  45: 'paused_pending_balance_validation',
}

// covers CAM-STATUS-14 CAM-STATUS-17..29
it('a list is filtered by the number or the name of each status, and by none with 50', () => {
  expect(Object.keys(NAMES).map(Number)).toEqual([...STATUS_KEYS].toSorted((a, b) => a - b))
  for (const [key, name] of Object.entries(NAMES))
    for (const filter of [Number(key), key, name, ` ${name.toUpperCase()} `]) expect(statusesOf(filter)).toEqual([Number(key)])
  for (const filter of [50, '50', 'all', '', null, undefined, [], [50, 0]]) expect(statusesOf(filter)).toBeNull()
  expect(statusesOf([0, 'rejected'])).toEqual([0, 2])
})

it('a list is filtered by no other status', () => {
  for (const filter of ['beautiful', 7, [3, 'x']])
    expect(() => statusesOf(filter)).toThrow(expect.objectContaining({ rejection: expect.objectContaining({ code: 133 }) }))
})
