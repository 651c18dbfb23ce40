import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { due, FULL_SCAN, startSweeper, type Sweep } from './sweep.ts'

const MINUTE = 60_000

describe('sweeps', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const errors: string[] = []
  /** Failures, passed over from the fourth failure on until the test mends them. */
  const failing = () => {
    const known = new Map<string, number>()
    return {
      known,
      keys: async (sweep: string) =>
        [...known.keys()].flatMap((key) => (key.startsWith(`${sweep} `) ? [key.slice(sweep.length + 1)] : [])),
      waiting: async (sweep: string) =>
        [...known].flatMap(([key, times]) => (times >= 4 && key.startsWith(`${sweep} `) ? [key.slice(sweep.length + 1)] : [])),
      failed: async (sweep: string, key: string) => void known.set(`${sweep} ${key}`, (known.get(`${sweep} ${key}`) ?? 0) + 1),
      succeeded: async (sweep: string, keys: readonly string[]) => keys.forEach((key) => known.delete(`${sweep} ${key}`)),
    }
  }
  const PASSING = new Error('away')
  const kit = { intervalMs: 300, leads: async () => true, isPassing: (error: unknown) => error === PASSING }
  const during = async (milliseconds: number, ...sweeps: readonly Sweep[]) => {
    errors.length = 0
    const sweeper = startSweeper({ ...kit, failing: failing(), sweeps, onError: (name) => errors.push(name) })
    await vi.advanceTimersByTimeAsync(milliseconds)
    const stopped = sweeper.stop()
    await vi.advanceTimersByTimeAsync(MINUTE)
    await stopped
  }
  const nothing = async () => []

  it('scans at every interval', async () => {
    let scans = 0
    await during(MINUTE, { name: 'quick', scan: async () => (scans++, []) })
    expect(scans).toBeGreaterThan(190)
  })

  it('scans less and less often while it finds nothing, and soon again once something happened', async () => {
    const at: number[] = []
    const began = performance.now()
    const sweeper = startSweeper({
      ...kit,
      failing: failing(),
      sweeps: [{ name: 'idle', scan: async () => (at.push(performance.now() - began), []) }],
      idleMs: 900,
      onError: () => undefined,
    })
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(at.length).toBeLessThan(75)
    expect(at.length).toBeGreaterThan(60)
    const before = at.length
    const last = at.at(-1) ?? 0
    await vi.advanceTimersByTimeAsync(Math.max(0, last + 100 - (performance.now() - began)))
    sweeper.stir()
    await vi.advanceTimersByTimeAsync(250)
    expect(at.length).toBe(before + 1)
    // Events one after another do not put the round off.
    for (let n = 0; n < 20; n++) {
      sweeper.stir()
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(at.length).toBeGreaterThan(before + 5)
    const stopped = sweeper.stop()
    await vi.advanceTimersByTimeAsync(MINUTE)
    await stopped
  })

  it('scans again without a pause after a full scan', async () => {
    let scans = 0
    const many = Array.from({ length: FULL_SCAN }, (_, n) => ({ key: String(n), act: async () => undefined }))
    await during(MINUTE, {
      name: 'midnight',
      scan: async () => {
        scans += 1
        await new Promise((resolve) => setTimeout(resolve, 500))
        return many
      },
    })
    expect(scans).toBeGreaterThan(110)
  })

  it('issues 32 commands at a time, continues after failures, and scans again once read models include the results', async () => {
    const log: string[] = []
    let under = 0
    let most = 0
    const commands = Array.from({ length: 100 }, (_, n) => ({
      key: String(n),
      act: async () => {
        most = Math.max(most, (under += 1))
        await new Promise((resolve) => setTimeout(resolve, 10))
        under -= 1
        log.push('command')
        if (n % 10 === 0) throw new Error('no')
      },
    }))
    const sweeper = startSweeper({
      ...kit,
      failing: failing(),
      sweeps: [{ name: 'midnight', scan: async () => (log.push('scan'), commands.splice(0)) }],
      onError: (name) => log.push(`failed: ${name}`),
      settled: async () => log.push('settled'),
    })
    await vi.advanceTimersByTimeAsync(1000)
    const stopped = sweeper.stop()
    await vi.advanceTimersByTimeAsync(MINUTE)
    await stopped
    expect(most).toBe(32)
    expect(log.filter((line) => line === 'command')).toHaveLength(100)
    expect(log.filter((line) => line !== 'command').slice(0, 4)).toEqual(['scan', 'settled', 'failed: midnight', 'scan'])
  })

  it('issues all commands of one scan before the next sweep', async () => {
    const done: string[] = []
    const found = ['a', 'b']
    const command = (key: string) => ({ key, act: async () => void done.push(key) })
    await during(
      1000,
      { name: 'finds', scan: async () => found.splice(0).map(command) },
      { name: 'after', scan: async () => (done.push('after'), []) },
    )
    expect(done.slice(0, 4)).toEqual(['a', 'b', 'after', 'after'])
  })

  it('does not scan again while the basis of an empty scan is unchanged', async () => {
    let basis = 'one'
    let scans = 0
    let left = 0
    const acts: number[] = []
    const sweep: Sweep = {
      name: 'watching',
      basis: async () => basis,
      scan: async () => {
        scans += 1
        return left > 0 ? [{ key: 'one', act: async () => void acts.push(left--) }] : []
      },
    }
    await during(10_000, sweep)
    expect(scans).toBe(1)

    basis = 'two'
    left = 2
    await during(10_000, sweep)
    // Two full scans, then an empty one.
    expect({ scans, acts }).toEqual({ scans: 4, acts: [2, 1] })
  })

  it('reports and retries a failing sweep, and runs the others', async () => {
    let others = 0
    await during(
      1000,
      { name: 'failing', scan: () => Promise.reject(new Error('no')) },
      { name: 'blind', basis: () => Promise.reject(new Error('no')), scan: nothing },
      {
        name: 'stuck',
        basis: async () => 'same',
        scan: async () => [{ key: 'one', act: () => Promise.reject(new Error('no')) }],
      },
      { name: 'other', scan: async () => (others++, []) },
    )
    expect(others).toBeGreaterThan(2)
    expect(new Set(errors)).toEqual(new Set(['failing', 'blind', 'stuck']))
    expect(errors.filter((name) => name === 'stuck').length).toBeGreaterThan(2)
  })

  // covers FP-110
  it('passes over what fails four times in a row, so that ten that always fail hold up no other, and takes it again once it is mended', async () => {
    const kept = failing()
    const done: string[] = []
    let broken = true
    const queue = Array.from({ length: 12 }, (_, n) => `report ${n}`)
    /** The longest due ten come first, as a scan with a limit finds them. */
    const reports: Sweep = {
      name: 'reports',
      scan: async (except) =>
        due(queue.filter((one) => !done.includes(one) && !except.includes(one)).slice(0, 10), String, async (one) => {
          if (broken && Number(one.slice(7)) < 10) throw new Error('this report cannot be made')
          done.push(one)
        }),
    }
    const sweeper = startSweeper({ ...kit, failing: kept, sweeps: [reports], onError: () => undefined })
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(done).toEqual(['report 10', 'report 11'])
    expect([...kept.known.values()]).toEqual(Array.from({ length: 10 }, () => 4))
    broken = false
    for (const key of kept.known.keys()) kept.known.set(key, 1)
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(done).toHaveLength(12)
    expect(kept.known.size).toBe(0)
    const stopped = sweeper.stop()
    await vi.advanceTimersByTimeAsync(MINUTE)
    await stopped
  })

  it('keeps nothing of what failed because something outside was away', async () => {
    const kept = failing()
    const sweeper = startSweeper({
      ...kit,
      failing: kept,
      sweeps: [{ name: 'payments', scan: async () => [{ key: 'one', act: () => Promise.reject(PASSING) }] }],
      onError: () => undefined,
    })
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(kept.known.size).toBe(0)
    const stopped = sweeper.stop()
    await vi.advanceTimersByTimeAsync(MINUTE)
    await stopped
  })
})
