import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashedText } from '#domain/audience/identifiers'
import { simulatedDevice } from '#domain/delivery/simulated-device'
import { count, PANEL_SIZE } from '#domain/estimates/panel'
import { createSegments } from './segments.ts'

/** Every audience holds the first ten people of the panel. */
const key = Buffer.alloc(32, 7)
const members = Buffer.concat(
  Array.from({ length: 10 }, (_, person) =>
    createHmac('sha256', key)
      .update(hashedText('device', simulatedDevice(person)))
      .digest()
      .subarray(0, 16),
  ).toSorted((a, b) => a.compare(b)),
)
const segmentsOf = createSegments({
  audienceKeys: async () => ({ keys: [{ whitelabel_id: 'dsp', key: key.toString('base64') }] }) as never,
  audienceMembers: async () => members,
})
const served = (id: string) => ({ id, version: 1, whitelabel_id: 'dsp', etag: id, members: 10 })

describe('people that a simulated bidder may serve', () => {
  it.each([
    ['all without audiences', {}, [], PANEL_SIZE],
    ['members of an included audience', { include: ['a'] }, ['a'], 10],
    ['all but members of an excluded audience', { exclude: ['a'] }, ['a'], PANEL_SIZE - 10],
    ['no one while an included audience is missing', { include: ['a'] }, [], 0],
    ['no one while the only audience of "any" is missing', { includeAny: ['a'] }, [], 0],
    ['members of the other audience of "any" while one is missing', { includeAny: ['a', 'b'] }, ['b'], 10],
    ['no one while an excluded audience is missing', { exclude: ['a'] }, [], 0],
    ['no one while one of two excluded audiences is missing', { include: ['b'], exclude: ['a', 'b'] }, ['b'], 0],
    ['no one while an excluded audience is missing beside an included one', { includeAny: ['b'], exclude: ['a'] }, ['b'], 0],
  ])('people that a simulated bidder may serve are %s', async (_, selection, audiences, size) => {
    const people = await segmentsOf({ includeAny: [], include: [], exclude: [], ...selection }, audiences.map(served))
    expect(count(people)).toBe(size)
  })
})
