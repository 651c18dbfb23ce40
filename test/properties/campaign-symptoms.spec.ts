import { describe, expect, it } from 'vitest'
import { commandOf, contentOf, create, take, unborn, type Past } from '../support/campaign-life.ts'
import type { Asked, Content, Outside } from './campaign-model.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const BEGIN = Date.UTC(2026, 5, 1, 9)
const CONTENT: Content = {
  name: 'a',
  url: 1,
  banners: { '1': 1 },
  native: 0,
  nativeOn: false,
  budget: 50_000_000,
  type: 2,
  start: null,
  end: null,
  exchanges: [],
}
const at = (now: number): Outside => ({ now, spentToday: 0, spentTotal: 0, available: 1e9 })

/** A campaign after these requests, none of which may be refused. */
function lived(content: Content, publish: boolean, steps: readonly (readonly [number, Asked])[]) {
  let { state, decision } = take(create(content, publish), unborn, at(BEGIN))
  const past: { state: typeof state; events: Past[number]['events'] }[] = [
    { state, events: decision.kind === 'events' ? decision.events : [] },
  ]
  for (const [hours, asked] of steps) {
    ;({ state, decision } = take(commandOf(asked, state, past), state, at(BEGIN + hours * HOUR)))
    if (decision.kind === 'rejected') throw new Error(`${asked.do}: ${decision.rejection.code}`)
    if (decision.events.length > 0) past.push({ state, events: decision.events })
  }
  return { state, kept: decision.kind === 'events' ? (decision.kept ?? []) : [] }
}
const update = (patch: Partial<Content>): Asked => ({ do: 'update', patch, expected: null })
const publish = (patch: Partial<Content>): Asked => ({ do: 'publish', patch, expected: null })

describe('regressions of the lifecycle', () => {
  it.each([
    ['later', 10],
    ['earlier', -10],
  ])('a restore of a flight that was moved %s brings back both dates', (_, days) => {
    const [start, end] = [BEGIN + 20 * DAY, BEGIN + 25 * DAY]
    const moved = { start: start + days * DAY, end: end + days * DAY }
    for (const back of ['restore', 'undo'] as const) {
      const { state, kept } = lived({ ...CONTENT, start, end }, false, [
        [1, update(moved)],
        [2, { do: back, revision: back === 'restore' ? 1 : 2 }],
      ])
      expect(contentOf(state)).toMatchObject({ start, end })
      expect(kept).toEqual([])
    }
  })

  it('a date that cannot be restored keeps the other date when the two would be in the wrong order', () => {
    const [start, end] = [BEGIN + DAY, BEGIN + 2 * DAY]
    const moved = { start: BEGIN + 10 * DAY, end: BEGIN + 12 * DAY }
    // Five days later the old start and the old end are in the past.
    const { state, kept } = lived({ ...CONTENT, start, end }, false, [
      [1, update(moved)],
      [5 * 24, { do: 'restore', revision: 1 }],
    ])
    expect(contentOf(state)).toMatchObject(moved)
    expect([...kept].sort()).toEqual(['campaign_end_at', 'campaign_start_at'])
  })

  // covers FP-11
  it('a repeated publication during a review validates only changed dates', () => {
    const { state } = lived({ ...CONTENT, end: BEGIN + DAY }, true, [[5 * 24, publish({ url: 2 })]])
    expect(contentOf(state).url).toBe(2)
  })

  it('a verdict of an exchange that is no longer chosen is removed by the next approval', () => {
    const { state } = lived(CONTENT, true, [
      [1, { do: 'approve', token: 'right', exchanges: null }],
      [2, { do: 'exchange', exchange: 'verve', creative: '1', verdict: 'approved' }],
      [3, { do: 'exchange', exchange: 'google', creative: '1', verdict: 'disapproved' }],
      [4, publish({ url: 2 })],
      [5, { do: 'approve', token: 'right', exchanges: ['google'] }],
    ])
    expect(Object.keys(state.decisions)).toEqual(['google'])
  })
})
