import { describe, expect, it } from 'vitest'
import { createSecurityForwarder, type SecurityEvent } from './forward-security-events.ts'

const event = (id: number): SecurityEvent => ({
  id: String(id),
  at: '2026-11-26T09:00:00.000Z',
  type: 'sign-in',
  whitelabel_id: 'dsp',
  person_id: null,
  client_network: 'sealed',
  details: {},
  count: 1,
})

function given(count: number) {
  const log = Array.from({ length: count }, (_, n) => event(n + 1))
  const received: string[] = []
  const opened: (string | null)[] = []
  let position = 0n
  let [breaksBefore, breaksAfter] = [Infinity, Infinity]
  let batches = 0
  const sweep = createSecurityForwarder({
    read: async (after, limit) => log.filter(({ id }) => BigInt(id) > after).slice(0, limit),
    reveal: async (events) => events.map((one) => ({ ...one, client_network: 'opened' })),
    send: async (events) => {
      batches += 1
      if (batches === breaksBefore) throw new Error('the receiver is away')
      received.push(...events.map(({ id }) => id))
      opened.push(...events.map(({ client_network }) => client_network))
    },
    position: async () => position,
    moveTo: async (to) => {
      if (batches === breaksAfter) throw new Error('the process was killed')
      position = to
    },
  })
  const round = async () => {
    for (const { act } of await sweep.scan([])) await act().catch(() => undefined)
  }
  return {
    round,
    received,
    opened,
    log,
    batches: () => batches,
    breakBefore: (batch: number) => (breaksBefore = batch),
    breakAfter: (batch: number) => (breaksAfter = batch),
  }
}
const ids = (count: number) => Array.from({ length: count }, (_, n) => String(n + 1))

describe('forwarding of security events', () => {
  // covers FP-82
  it('sends each once, in order, with what is sealed opened, and nothing when nothing is new', async () => {
    const { round, received, opened, batches } = given(1201)
    await round()
    expect(received).toEqual(ids(1201))
    expect(new Set(opened)).toEqual(new Set(['opened']))
    expect(batches()).toBe(3)
    await round()
    expect(batches()).toBe(3)
  })

  // covers FP-82
  it('goes on where it was after the receiver was away, and skips none', async () => {
    const { round, received, breakBefore } = given(1201)
    breakBefore(2)
    await round()
    expect(received).toEqual(ids(500))
    await round()
    expect(received).toEqual(ids(1201))
  })

  // covers FP-82
  it('sends a batch again after a crash between sending and moving on', async () => {
    const { round, received, breakAfter } = given(700)
    breakAfter(2)
    await round()
    expect(received).toEqual(ids(700))
    await round()
    expect(received).toEqual([...ids(700), ...ids(700).slice(500)])
    await round()
    expect(received).toHaveLength(900)
  })

  it('sends 10,000 in a round at most, and the others in the next', async () => {
    const { round, received } = given(10_001)
    await round()
    expect(received).toHaveLength(10_000)
    await round()
    expect(received).toEqual(ids(10_001))
  })
})
