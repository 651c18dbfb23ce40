import { expect, test } from 'vitest'
import { createHoleEvidence } from './hole-evidence.ts'

const noWriters = new Set<string>()
const writers = (...names: string[]): ReadonlySet<string> => new Set(names)

test('a hole is dead for statements sent after one that saw no writer', () => {
  const holes = createHoleEvidence()
  const first = holes.sent()
  holes.observe(first, 9n, noWriters)
  expect(holes.isDead(first, 8n)).toBe(false)
  expect(holes.isDead(holes.sent(), 8n)).toBe(true)
  expect(holes.isDead(holes.sent(), 10n)).toBe(false)
})

test('a hole stays open as long as a writer could fill it', () => {
  const holes = createHoleEvidence()
  holes.observe(holes.sent(), 9n, writers('3/1', '4/1'))
  holes.observe(holes.sent(), 12n, writers('4/1', '5/1'))
  expect(holes.isDead(holes.sent(), 8n)).toBe(false)
  holes.observe(holes.sent(), 15n, writers('5/1', '6/1'))
  expect(holes.isDead(holes.sent(), 8n)).toBe(true)
  expect(holes.isDead(holes.sent(), 12n)).toBe(false)
})

test('a proof does not apply to a statement sent before it', () => {
  const holes = createHoleEvidence()
  holes.observe(holes.sent(), 9n, writers('3/1'))
  const underWay = holes.sent()
  holes.observe(holes.sent(), 9n, noWriters)
  expect(holes.isDead(underWay, 8n)).toBe(false)
})

test('a list read before a writer began does not prove that the writer ended', () => {
  const holes = createHoleEvidence()
  const old = holes.sent()
  holes.observe(holes.sent(), 9n, writers('3/1'))
  holes.observe(old, 5n, writers('2/1'))
  expect(holes.isDead(holes.sent(), 8n)).toBe(false)
})

test('a writer may have become a prepared transaction', () => {
  const holes = createHoleEvidence()
  holes.observe(holes.sent(), 9n, writers('3/1'))
  holes.observe(holes.sent(), 9n, writers('-1/700'))
  expect(holes.isDead(holes.sent(), 8n)).toBe(false)
  holes.observe(holes.sent(), 9n, noWriters)
  expect(holes.isDead(holes.sent(), 8n)).toBe(true)
})

test('repeated proofs of many holes leave room for new ones', () => {
  const holes = createHoleEvidence()
  for (let head = 1000n; head > 0n; head -= 1n) holes.observe(holes.sent(), head, noWriters)
  holes.observe(holes.sent(), 2000n, noWriters)
  expect(holes.isDead(holes.sent(), 1999n)).toBe(true)
})

test('a hole proven dead before a statement was sent stays dead for it', () => {
  const holes = createHoleEvidence()
  holes.observe(holes.sent(), 9n, noWriters)
  const underWay = holes.sent()
  for (let head = 10n; head < 27n; head += 1n) holes.observe(holes.sent(), head, noWriters)
  expect(holes.isDead(underWay, 8n)).toBe(true)
  expect(holes.isDead(underWay, 10n)).toBe(false)
})
