import { describe, expect, it } from 'vitest'
import { readEvent, type SentEvent } from './tracked-event.ts'

const NOW = '2026-11-10T12:00:00.000Z'
const SENT: SentEvent = {
  name: 'purchase',
  id: null,
  time: null,
  value: null,
  device_model: null,
  url: null,
  custom_parameters: {},
  campaign_id: null,
  conversion: null,
}
const read = (over: Partial<SentEvent>) => readEvent({ ...SENT, ...over }, { path: 'events[1].', now: NOW, id: 'new' })

describe('an event of a visitor', () => {
  it.each<[problem: string, over: Partial<SentEvent>, field: string, code: number]>([
    ['of next week', { time: '2026-11-17T12:00:00.000Z' }, 'time', 2],
    ['of six minutes ahead', { time: '2026-11-10T12:06:00.000Z' }, 'time', 2],
    ['of more than seven days ago', { time: '2026-11-03T11:59:59.999Z' }, 'time', 2],
    ['at no time', { time: 'yesterday' }, 'time', 11],
    ['at an impossible number', { time: 1e300 }, 'time', 11],
    ['with an address of another scheme', { url: 'javascript:alert(1)' }, 'url', 2],
    ['with a broken address', { url: 'http://[' }, 'url', 2],
    [
      'with too many custom parameters',
      { custom_parameters: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`p${n}`, ''])) },
      'custom_parameters',
      2,
    ],
  ])('an event %s is refused with its path', (_, over, field, code) =>
    expect(read(over).faults).toMatchObject([{ path: `events[1].${field}`, code }]),
  )

  it.each([
    [null, NOW],
    ['2026-11-10T12:04:00.000Z', NOW],
    ['2026-11-03T12:00:00.000Z', '2026-11-03T12:00:00.000Z'],
    [Date.parse(NOW) - 1, '2026-11-10T11:59:59.999Z'],
    [String(Date.parse(NOW) - 1), '2026-11-10T11:59:59.999Z'],
  ])('an event of a visitor sent with the time %s happened at %s', (time, happened) =>
    expect(read({ time })).toMatchObject({ event: { time: happened }, faults: [] }),
  )

  it('keeps its address without user name, password and fragment', () =>
    expect(read({ url: 'https://ada:secret@nile.example/a?b=c#ada@nile.example' }).event.url).toBe('https://nile.example/a?b=c'))
})
