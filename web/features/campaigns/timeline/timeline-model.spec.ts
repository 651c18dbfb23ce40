import { describe, expect, it } from 'vitest'
import type { RevisionLine } from '#contract/audit'
import type { StatusChangeRow } from '#contract/status-history'
import {
  bandsOf,
  blameOf,
  cursorAt,
  cursorFrom,
  DAY,
  earlier,
  later,
  marksOf,
  movedByKey,
  plannedMarks,
  statusAt,
  windowOf,
} from './timeline-model.ts'

const START = Date.parse('2026-11-01T10:00:00.000Z')
const at = (time: number) => new Date(time).toISOString()
const line = (revision: number, time: number, author_id: string | null = 'ada'): RevisionLine => ({
  revision,
  author: author_id === null ? 'System' : 'Ada',
  author_id,
  commit_date: at(time),
})
/** Newest first. The last two revisions share an instant. */
const INDEX = [line(4, START + 3 * DAY, null), line(3, START + 3 * DAY), line(2, START + DAY), line(1, START)]
const NOW = START + 10 * DAY
const change = (revision: number, time: number, status_key: number, cause = 'CampaignSwitchedOn'): StatusChangeRow => ({
  revision,
  at: at(time),
  status_key,
  previous_status_key: null,
  reasons: [],
  ended: [],
  cause,
  actor: 'Ada',
})
const HISTORY = [change(3, START + 3 * DAY, 3, 'CampaignApproved'), change(2, START + DAY, 1), change(1, START, 0)]

describe('a cursor', () => {
  it('a cursor is at the newest revision that is not later', () => {
    expect(cursorAt(INDEX, START + DAY - 1).revision).toBe(1)
    expect(cursorAt(INDEX, START + DAY).revision).toBe(2)
    expect(cursorAt(INDEX, NOW).revision).toBe(4)
  })

  it('never precedes the first revision', () => {
    expect(cursorAt(INDEX, START - DAY)).toEqual({ time: START, revision: 1 })
  })

  it('comes from the revision of an address, else from its instant, else from now', () => {
    expect(cursorFrom(INDEX, { revision: 3, at: at(START) }, NOW)).toEqual({ time: START + 3 * DAY, revision: 3 })
    expect(cursorFrom(INDEX, { at: at(START + 2 * DAY) }, NOW)).toEqual({ time: START + 2 * DAY, revision: 2 })
    expect(cursorFrom(INDEX, { revision: 99 }, NOW)).toEqual({ time: NOW, revision: 4 })
    expect(cursorFrom(INDEX, { at: at(NOW + DAY) }, NOW).time).toBe(NOW)
  })

  it('visits every revision by single steps, also those of one instant', () => {
    const back = []
    for (let cursor = earlier(INDEX, cursorAt(INDEX, NOW)); cursor !== null; cursor = earlier(INDEX, cursor))
      back.push(cursor.revision)
    expect(back).toEqual([4, 3, 2, 1])
    const forward = []
    for (let cursor = later(INDEX, cursorAt(INDEX, START)); cursor !== null; cursor = later(INDEX, cursor))
      forward.push(cursor.revision)
    expect(forward).toEqual([2, 3, 4])
  })

  it.each([
    ['PageDown', { time: NOW - DAY, revision: 4 }],
    ['PageUp', { time: NOW, revision: 4 }],
    ['Home', { time: START, revision: 1 }],
    ['End', { time: NOW, revision: 4 }],
    ['ArrowLeft', { time: START + 3 * DAY, revision: 4 }],
    ['Tab', null],
  ])('moves by %s', (key, moved) => {
    expect(movedByKey(key, INDEX, cursorAt(INDEX, NOW), NOW)).toEqual(moved)
  })

  it('moves from the newest revision to now', () => {
    expect(movedByKey('ArrowRight', INDEX, { time: START + 3 * DAY, revision: 4 }, NOW)).toEqual({ time: NOW, revision: 4 })
  })
})

describe('a period', () => {
  const life = { start: START, end: NOW }
  it('a period is the whole life of a campaign that is younger', () => {
    expect(windowOf(life, 30, NOW)).toEqual(life)
    expect(windowOf(life, null, START)).toEqual(life)
  })

  it('ends now, or surrounds a cursor before it', () => {
    expect(windowOf(life, 7, NOW)).toEqual({ start: NOW - 7 * DAY, end: NOW })
    expect(windowOf(life, 7, START + DAY)).toEqual({ start: START, end: START + 7 * DAY })
  })
})

describe('the statuses', () => {
  it('the statuses follow each other without a gap, cut to the period', () => {
    const bands = bandsOf(HISTORY, { start: START + DAY / 2, end: NOW })
    expect(bands.map((band) => [band.change.status_key, band.start, band.end])).toEqual([
      [0, START + DAY / 2, START + DAY],
      [1, START + DAY, START + 3 * DAY],
      [3, START + 3 * DAY, NOW],
    ])
  })

  it('the statuses are known at every cursor', () => {
    expect(statusAt(HISTORY, cursorAt(INDEX, START + 2 * DAY))?.status_key).toBe(1)
    expect(statusAt(HISTORY, cursorAt(INDEX, NOW))?.status_key).toBe(3)
  })
})

describe('the marks', () => {
  it('the marks say who changed the campaign, and what was a decision', () => {
    const marks = marksOf(INDEX, HISTORY, { start: START, end: NOW }, 0)
    expect(marks.map(({ kind, revision }) => [kind, revision])).toEqual([
      ['person', 1],
      ['person', 2],
      ['decision', 3],
      ['system', 4],
    ])
  })

  it('the marks become one where they would overlap, of the most important kind', () => {
    const marks = marksOf(INDEX, HISTORY, { start: START, end: NOW }, 5 * DAY)
    expect(marks).toEqual([{ kind: 'decision', time: START, revision: 3, count: 4 }])
  })
})

describe('the marks of what is scheduled', () => {
  const planned = [
    { time: NOW + 3 * DAY, text: 'back' },
    { time: NOW + DAY, text: 'raise' },
    { time: NOW + DAY + 10, text: 'rename' },
    { time: NOW, text: 'due' },
  ]
  it('the marks of what is scheduled are in order of time, and none is for what is due', () => {
    expect(plannedMarks(planned, NOW, 0).map(({ texts }) => texts)).toEqual([['raise'], ['rename'], ['back']])
  })

  it('the marks of what is scheduled become one where they would overlap', () => {
    expect(plannedMarks(planned, NOW, 11)).toEqual([
      { time: NOW + DAY, texts: ['raise', 'rename'] },
      { time: NOW + 3 * DAY, texts: ['back'] },
    ])
  })
})

it('finds who set a field by its own path, the path around it, or a path within it', () => {
  const lines = [
    { path: 'budget', revision: 4 },
    { path: 'targeting.interests', revision: 2 },
    { path: 'targeting.ageRange', revision: 3 },
    { path: 'name', revision: 1 },
  ]
  expect(blameOf(lines, 'budget')?.revision).toBe(4)
  expect(blameOf(lines, 'targeting.interests.include')?.revision).toBe(2)
  expect(blameOf(lines, 'targeting')?.revision).toBe(3)
  expect(blameOf(lines, 'names')).toBeUndefined()
})
