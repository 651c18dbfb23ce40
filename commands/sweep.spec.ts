import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FULL_SCAN, startSweeper, type Sweep } from './sweep.ts'

const MINUTE = 60_000

describe('sweeps', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const errors: string[] = []
  const during = async (milliseconds: number, ...sweeps: readonly Sweep[]) => {
    errors.length = 0
    const sweeper = startSweeper({
      sweeps,
      intervalMs: 300,
      leads: async () => true,
      onError: (name) => errors.push(name),
    })
    await vi.advanceTimersByTimeAsync(milliseconds)
    const stopped = sweeper.stop()
    await vi.advanceTimersByTimeAsync(MINUTE)
    await stopped
  }
  const nothing = async () => []
  const lasting = (milliseconds: number, looks: number[]) => async () => {
    looks.push(performance.now())
    await new Promise((resolve) => setTimeout(resolve, milliseconds))
    return []
  }

  it('look at every interval while a look takes next to nothing', async () => {
    const looks: number[] = []
    await during(MINUTE, { name: 'quick', look: lasting(1, looks) })
    expect(looks.length).toBeGreaterThan(190)
  })

  it('that look through a million campaigns do not keep the database busy: a twentieth of the time is spent looking', async () => {
    const [slow, quick]: [number[], number[]] = [[], []]
    await during(MINUTE, { name: 'slow', look: lasting(500, slow) }, { name: 'quick', look: lasting(1, quick) })
    expect(slow.length).toBeGreaterThanOrEqual(5)
    expect(slow.length).toBeLessThanOrEqual(7)
    expect(quick.length).toBeGreaterThan(170)
  })

  it('are looked at again at once after a single look that a busy machine held up', async () => {
    const looks: number[] = []
    await during(10_000, { name: 'held up', look: () => lasting(looks.length === 3 ? 1000 : 1, looks)() })
    expect(looks[4]! - looks[3]!).toBeLessThan(1500)
    expect(looks.length).toBeGreaterThan(25)
  })

  it('rest after each slow look, though every other is quick because it finds enough to stop early', async () => {
    const slow: number[] = []
    let turn = 0
    const enough = Array.from({ length: 200 }, () => async () => undefined)
    await during(MINUTE, {
      name: 'alternating',
      look: async () => (turn++ % 2 === 0 ? enough : lasting(500, slow)()),
    })
    expect(slow.length).toBeLessThanOrEqual(7)
  })

  it('go on at once after a look that found much, however long it took', async () => {
    const looks: number[] = []
    const many = Array.from({ length: FULL_SCAN }, () => async () => undefined)
    await during(MINUTE, { name: 'midnight', look: async () => (await lasting(500, looks)(), many) })
    expect(looks.length).toBeGreaterThan(60)
  })

  it('issue 32 commands at a time, all of them although some fail, and scan again once read models show what they did', async () => {
    const log: string[] = []
    let under = 0
    let most = 0
    const commands = Array.from({ length: 100 }, (_, n) => async () => {
      most = Math.max(most, (under += 1))
      await new Promise((resolve) => setTimeout(resolve, 10))
      under -= 1
      log.push('command')
      if (n % 10 === 0) throw new Error('no')
    })
    const sweeper = startSweeper({
      sweeps: [{ name: 'midnight', look: async () => (log.push('scan'), commands.splice(0)) }],
      intervalMs: 300,
      leads: async () => true,
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

  it('do all that a look found before anything else is looked at', async () => {
    const done: string[] = []
    const found = ['a', 'b']
    const command = (name: string) => async () => void done.push(name)
    await during(
      1000,
      { name: 'finds', look: async () => found.splice(0).map(command) },
      { name: 'after', look: async () => (done.push('after'), []) },
    )
    expect(done.slice(0, 4)).toEqual(['a', 'b', 'after', 'after'])
  })

  it('do not look again at what is as it was when nothing was found', async () => {
    let basis = 'one'
    let looks = 0
    let due = 0
    const acts: number[] = []
    const sweep: Sweep = {
      name: 'watching',
      basis: async () => basis,
      look: async () => {
        looks += 1
        return due > 0 ? [async () => void acts.push(due--)] : []
      },
    }
    await during(10_000, sweep)
    expect(looks).toBe(1)

    basis = 'two'
    due = 2
    await during(10_000, sweep)
    // Twice something, then nothing.
    expect({ looks, acts }).toEqual({ looks: 4, acts: [2, 1] })
  })

  it('that fail are reported, tried again, and hold up no others', async () => {
    let others = 0
    await during(
      1000,
      { name: 'failing', look: () => Promise.reject(new Error('no')) },
      { name: 'blind', basis: () => Promise.reject(new Error('no')), look: nothing },
      { name: 'stuck', basis: async () => 'same', look: async () => [() => Promise.reject(new Error('no'))] },
      { name: 'other', look: async () => (others++, []) },
    )
    expect(others).toBeGreaterThan(2)
    expect(new Set(errors)).toEqual(new Set(['failing', 'blind', 'stuck']))
    expect(errors.filter((name) => name === 'stuck').length).toBeGreaterThan(2)
  })
})
