import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reviewDueAt, reviewTimeUsed } from './review-time.ts'

const HOUR = 3_600_000
const instant = fc
  .date({ noInvalidDate: true, min: new Date('1990-01-01T00:00:00Z'), max: new Date('2090-01-01T00:00:00Z') })
  .map((date) => date.toISOString())
const dueMs = (startedAt: string) => Date.parse(reviewDueAt(startedAt))

describe('the review deadline', () => {
  it.each([
    ['a Monday', '2026-06-01T14:30:00.000Z', '2026-06-02T14:30:00.000Z'],
    ['a Thursday', '2026-06-04T23:59:59.999Z', '2026-06-05T23:59:59.999Z'],
    ['a Friday', '2026-06-05T14:30:00.000Z', '2026-06-08T14:30:00.000Z'],
    ['a Friday at midnight', '2026-06-05T00:00:00.000Z', '2026-06-08T00:00:00.000Z'],
    ['a Saturday', '2026-06-06T09:00:00.000Z', '2026-06-09T00:00:00.000Z'],
    ['a Sunday', '2026-06-07T23:59:59.999Z', '2026-06-09T00:00:00.000Z'],
  ])('the review deadline of a submission on %s', (_, startedAt, dueAt) => {
    expect(reviewDueAt(startedAt)).toBe(dueAt)
  })

  it('falls on a working day, one to three days later', () => {
    fc.assert(
      fc.property(instant, (startedAt) => {
        const due = dueMs(startedAt)
        expect([1, 2, 3, 4, 5]).toContain(new Date(due).getUTCDay())
        const hours = (due - Date.parse(startedAt)) / HOUR
        expect(hours).toBeGreaterThanOrEqual(24)
        expect(hours).toBeLessThanOrEqual(72)
      }),
    )
  })

  it('follows the order of submission', () => {
    fc.assert(
      fc.property(instant, instant, (one, other) => {
        const [first, second] = [one, other].sort()
        expect(dueMs(first ?? '')).toBeLessThanOrEqual(dueMs(second ?? ''))
      }),
    )
  })

  it('reaches 100% exactly when the decision is due, and never decreases', () => {
    fc.assert(
      fc.property(instant, fc.nat(200 * HOUR), fc.nat(200 * HOUR), (startedAt, a, b) => {
        expect(reviewTimeUsed(startedAt, dueMs(startedAt))).toBeCloseTo(1, 9)
        const start = Date.parse(startedAt)
        const [sooner, later] = [Math.min(a, b), Math.max(a, b)]
        expect(reviewTimeUsed(startedAt, start + sooner)).toBeLessThanOrEqual(reviewTimeUsed(startedAt, start + later))
        if (start + later >= dueMs(startedAt)) expect(reviewTimeUsed(startedAt, start + later)).toBeGreaterThanOrEqual(1)
      }),
    )
  })

  it('does not advance over a weekend', () => {
    const friday = '2026-06-05T12:00:00.000Z'
    expect(reviewTimeUsed(friday, Date.parse('2026-06-06T00:00:00Z'))).toBe(0.5)
    expect(reviewTimeUsed(friday, Date.parse('2026-06-07T23:00:00Z'))).toBe(0.5)
    expect(reviewTimeUsed(friday, Date.parse('2026-06-08T06:00:00Z'))).toBe(0.75)
  })
})
