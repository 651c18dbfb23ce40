import { describe, expect, it } from 'vitest'
import { endOfKey, endsOfRotation, isKeyDays, KEY_DAYS, type WantedEnd } from './key-life.ts'

const NOW = '2026-03-01T12:00:00.000Z'
const STANDARD = KEY_DAYS.standard

describe('the end of a new key', () => {
  // covers FP-86
  it.each<readonly [wanted: WantedEnd, most: number, end: string | null]>([
    [{ days: 1 }, STANDARD, '2026-03-02T12:00:00.000Z'],
    [{ days: 90 }, STANDARD, '2026-05-30T12:00:00.000Z'],
    [{ days: 91 }, STANDARD, null],
    [{ days: 91 }, 366, '2026-05-31T12:00:00.000Z'],
    [{ days: 7 }, 6, null],
    [{ days: 0 }, STANDARD, null],
    [{ days: -1 }, STANDARD, null],
    [{ expires_at: '2026-03-31T23:59:59Z' }, STANDARD, '2026-03-31T23:59:59.000Z'],
    [{ expires_at: '2026-05-30T12:00:00.000Z' }, STANDARD, '2026-05-30T12:00:00.000Z'],
    [{ expires_at: '2026-05-30T12:00:00.001Z' }, STANDARD, null],
    [{ expires_at: NOW }, STANDARD, null],
    [{ expires_at: '2026-02-28T00:00:00Z' }, STANDARD, null],
    [{ expires_at: 'next week' }, STANDARD, null],
    [{}, STANDARD, null],
    [{ days: 7, expires_at: '2026-03-31T23:59:59Z' }, STANDARD, null],
  ])('the end of a new key of %j, where %i days are allowed, is %s', (wanted, most, end) => {
    expect(endOfKey(wanted, NOW, most)).toBe(end)
  })

  it('the end of a new key may be 1 to 366 days away where the white-label says so', () => {
    expect([0, 1, 90.5, 366, 367].map(isKeyDays)).toEqual([false, true, false, true, false])
  })
})

describe('the ends after a rotation', () => {
  const ends = (created_at: string, expires_at: string, most: number = STANDARD) =>
    endsOfRotation({ created_at, expires_at }, NOW, most)

  it('the ends after a rotation give the new key the life of the old one, which works for another day', () => {
    const old = '2026-03-02T12:00:00.000Z'
    expect(ends('2026-02-01T12:00:00.000Z', '2026-03-03T12:00:00.000Z')).toEqual({ next: '2026-03-31T12:00:00.000Z', old })
  })

  it('the ends after a rotation never prolong the old key', () => {
    const expires_at = '2026-03-01T15:00:00.000Z'
    expect(ends('2026-02-22T15:00:00.000Z', expires_at)).toEqual({ next: '2026-03-08T12:00:00.000Z', old: expires_at })
  })

  it('the ends after a rotation keep a key of before within what the white-label allows now', () => {
    expect(ends('2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z').next).toBe('2026-05-30T12:00:00.000Z')
  })
})
