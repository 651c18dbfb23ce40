import { describe, expect, it, onTestFinished } from 'vitest'
import { Away } from '#eventstore/away'
import { watchOutside, type OutsideOptions } from './outside.ts'

const REFUSED = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })

type State = { now: 'there' | 'refused' | 'frozen' }

/** A service whose pings follow `state`, and the lines that its watch logs. */
function serviceOf(state: State, more: Partial<OutsideOptions> = {}) {
  const lines: string[] = []
  let pings = 0
  const log: OutsideOptions['logger']['warn'] = (line: unknown) => void lines.push(String(line))
  const service = watchOutside({
    name: 'Facts',
    ping: async () => {
      pings += 1
      if (state.now === 'refused') throw REFUSED
      if (state.now === 'frozen') await new Promise(() => {})
    },
    isAbsence: (error) => error === REFUSED,
    isBusy: () => false,
    logger: { error: log, warn: log },
    ...more,
  })
  onTestFinished(() => service.stop())
  const until = (away: boolean) => expect.poll(() => service.isAway()).toBe(away)
  /** Waits until the service was asked twice more: the second question follows the answer to the first. */
  const askedTwice = (before = pings) => expect.poll(() => pings).toBeGreaterThan(before + 1)
  return { service, lines, until, askedTwice }
}

describe('a service outside', () => {
  it.each(['refused', 'frozen'] as const)(
    'a service outside that is %s fails calls at once, and is logged once when it goes and once when it is back',
    async (how) => {
      const state: State = { now: 'there' }
      const { service, lines, until, askedTwice } = serviceOf(state, { askEveryMs: 10, answerWithinMs: () => 100 })
      expect(await service.run(async () => 7)).toBe(7)
      state.now = how
      await until(true)
      let calls = 0
      for (let i = 0; i < 3; i++) await expect(service.run(async () => (calls += 1))).rejects.toBeInstanceOf(Away)
      expect(calls).toBe(0)
      await askedTwice()
      expect(lines).toEqual([expect.stringMatching(/^Facts is away: .*503/)])
      state.now = 'there'
      await until(false)
      expect(await service.run(async () => 8)).toBe(8)
      expect(lines.slice(1)).toEqual([expect.stringMatching(/^Facts is back after \d+ s$/)])
    },
  )

  it('fails calls and pages that wait for an answer when it goes away', async () => {
    const state: State = { now: 'there' }
    const { service } = serviceOf(state)
    async function* stalling() {
      yield 0
      await new Promise(() => {})
    }
    const read = async () => {
      for await (const page of service.pages(stalling())) expect(page).toBe(0)
    }
    const waiting = [service.run(() => new Promise(() => {})), read()]
    state.now = 'frozen'
    for (const result of await Promise.allSettled(waiting)) expect(result).toMatchObject({ reason: { name: 'Away' } })
  })

  it('a service outside that freezes is away once a call needs it, however seldom it is asked', async () => {
    // The next question of its own would come after the time limit of this test.
    const { service } = serviceOf({ now: 'frozen' }, { askEveryMs: 600_000 })
    await expect(service.run(() => new Promise(() => {}))).rejects.toBeInstanceOf(Away)
    expect(service.isAway()).toBe(true)
  })

  it('a service outside is waited for by some calls, for a limited time in all', async () => {
    const state: State = { now: 'there' }
    const { service, until } = serviceOf(state, { waitMs: 400 })
    let answer: (value: number) => void = () => {}
    const answered = service.wait(() => new Promise<number>((resolve) => (answer = resolve)))
    const late = service.wait(() => new Promise(() => {}))
    late.catch(() => undefined)
    state.now = 'refused'
    await until(true)
    answer(7)
    expect(await answered).toBe(7)
    await expect(late).rejects.toBeInstanceOf(Away)
    // Now calls that need it are rejected at once, and others get their answer.
    await expect(service.wait(async () => 8)).rejects.toBeInstanceOf(Away)
    expect(await service.attempt(async () => 9)).toBe(9)
    await expect(service.attempt(() => new Promise(() => {}))).rejects.toBeInstanceOf(Away)
    state.now = 'there'
    await until(false)
    expect(await service.wait(async () => 10)).toBe(10)
  })

  it('reports a lost connection as away, and a defect as it is', async () => {
    const { service } = serviceOf({ now: 'there' })
    const defect = new Error('no such column')
    await expect(service.run(() => Promise.reject(defect))).rejects.toBe(defect)
    await expect(service.run(() => Promise.reject(REFUSED))).rejects.toMatchObject({ name: 'Away', cause: REFUSED })
  })

  it('ends an answer whose reader stops early', async () => {
    const { service } = serviceOf({ now: 'there' })
    let ended = false
    async function* endless() {
      try {
        for (let n = 0; ; n++) yield n
      } finally {
        ended = true
      }
    }
    for await (const page of service.pages(endless())) if (page === 2) break
    expect(ended).toBe(true)
  })
})
