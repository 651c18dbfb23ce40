import { TooMany } from '#commands/refused'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createKysely } from '#platform/database/pool'
import { newId } from '#platform/ids'
import { createTestDatabase, untilBlocked, type TestDatabase } from '#test/support/database'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { ACCOUNT_CALLS_PER_MINUTE, CALLS_PER_MINUTE, createCallLimit, createTransferLimit } from './calls.ts'
import { Left } from '#platform/database/turns'
import { createDailyShare } from '#platform/limits/daily-share'
import { createCallTurns, type CallKind } from '#platform/limits/call-turns'
import { createCounted, createLimits, createReadLimit, type Limit } from '#platform/limits/limits'
import { networkOf } from './network.ts'

describe('rate limits', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())
  const limits = () => createLimits(createKysely(database.pool), newId)
  const outcome = (work: Promise<unknown>) =>
    work.then(
      () => 'reserved',
      (error: unknown) => (error instanceof TooMany ? error.seconds : String(error)),
    )

  it('rate limits grant at most the limit to concurrent reservations', async () => {
    const heard = await Promise.all(
      Array.from({ length: 30 }, () => outcome(limits().reserve([{ key: 'at once', limit: 7, seconds: 60 }]))),
    )
    expect(heard.filter((one) => one === 'reserved')).toHaveLength(7)
    expect(heard.filter((one) => one === 60)).toHaveLength(23)
  })

  it('rate limits reserve after an open reservation of the same key has committed', async () => {
    const first = await database.pool.connect()
    try {
      await first.query('begin')
      await first.query(`select app.reserve('first', '{open}', '{1}', '{60}')`)
      const second = outcome(limits().reserve([{ key: 'open', limit: 1, seconds: 60 }]))
      await untilBlocked(database.pool, second)
      await first.query('commit')
      expect(await second).toBe(60)
    } finally {
      first.release()
    }
  })

  it('rate limits reserve either all of several keys or none, in any order of the keys', async () => {
    const [wide, narrow] = [
      { key: 'wide', limit: 10, seconds: 60 },
      { key: 'narrow', limit: 2, seconds: 30 },
    ]
    const heard = await Promise.all(
      Array.from({ length: 12 }, (_, i) => outcome(limits().reserve(i % 2 === 0 ? [wide, narrow] : [narrow, wide]))),
    )
    expect(heard.filter((one) => one === 'reserved')).toHaveLength(2)
    const rest = await Promise.all(Array.from({ length: 10 }, () => outcome(limits().reserve([wide]))))
    expect(rest.filter((one) => one === 'reserved')).toHaveLength(8)
  })

  it('rate limits free a unit when it is released or expires', async () => {
    const one = { key: 'given back', limit: 1, seconds: 60 }
    const { release } = await limits().reserve([one])
    expect(await outcome(limits().reserve([one]))).toBe(60)
    await release()
    expect(await outcome(limits().reserve([one]))).toBe('reserved')
    await database.pool.query(`update app.reservations set expires_at = now() where key = $1`, [one.key])
    expect(await outcome(limits().reserve([one]))).toBe('reserved')
  })

  it('rate limits of units that are not given back ask PostgreSQL once for all refusals, until the time in the first', async () => {
    let [asked, time] = [0, 0]
    const counting = { reserve: (of: readonly Limit[]) => ((asked += 1), limits().reserve(of)) }
    const count = createCounted(
      counting,
      (key) => ({ key: `sent ${key}`, limit: 2, seconds: 30 }),
      () => time,
    )
    for (let n = 0; n < 2; n++) await count('a')
    for (let n = 0; n < 50; n++) expect(await outcome(count('a'))).toBe(30)
    expect(asked).toBe(3)
    await count('b')
    time = 29_500
    expect(await outcome(count('a'))).toBe(1)
    time = 30_000
    await database.pool.query(`delete from app.reservations where key = 'sent a'`)
    await count('a')
    expect(asked).toBe(5)
  })

  it('rate limits delete expired rows', async () => {
    await limits().reserve([{ key: 'expired', limit: 1, seconds: 60 }])
    await database.pool.query(`update app.reservations set expires_at = now()`)
    await limits().purge()
    expect((await database.pool.query('select 1 from app.reservations')).rowCount).toBe(0)
  })

  // covers FP-45
  it('rate limits on anonymous reads write nothing for the first 2,000 files a minute per network, and refuse after 6,000', async () => {
    let time = 0
    const read = createReadLimit(
      limits(),
      (text) => `hash of ${text}`,
      () => time,
    )
    const rows = async () => (await database.pool.query(`select 1 from app.reservations where key like 'read %'`)).rowCount
    for (let i = 0; i < 2000; i++) await read('a')
    expect(await rows()).toBe(0)
    let more = 0
    while ((await outcome(read('a'))) === 'reserved') more += 1
    expect([more, await rows()]).toEqual([4000, 8])
    await read('b')
    time = 60_000
    await read('a')
  })
})

describe('a quota of the log', () => {
  it('a quota of the log is reserved by the MiB, so that small saves cost no write, and refuses what comes after the last one', async () => {
    const reserved: string[] = []
    let account: string | null = 'one'
    const quota = createDailyShare(
      {
        reserve: async ([limit]) => {
          if (reserved.length === limit?.limit) throw new TooMany(60)
          reserved.push(limit?.key ?? '')
          return { release: async () => {} }
        },
      },
      () => account,
      { name: 'log', unit: 1024 * 1024, perDay: 2 },
    )
    const save = async (bytes: number) => {
      await quota.check()
      quota.spent(bytes)
    }
    for (let n = 0; n < 100; n++) await save(10_000)
    expect(reserved).toEqual(['log one'])
    await save(1_100_000)
    await expect(save(0)).rejects.toThrow(TooMany)
    expect(reserved).toEqual(['log one', 'log one'])
    // The product itself goes on.
    account = null
    await save(9_000_000)
    expect(reserved).toHaveLength(2)
  })
})

describe('calls of a user', () => {
  it('calls of a user are counted by the minute and refused beyond the limit, without a write', () => {
    let time = 30_000
    const count = createCallLimit(() => time)
    for (let n = 0; n < CALLS_PER_MINUTE; n++) count('one', 'account')
    expect(() => count('one', 'account')).toThrow(new TooMany(30))
    for (let n = CALLS_PER_MINUTE; n < ACCOUNT_CALLS_PER_MINUTE; n++) count(`other ${n % 9}`, 'account')
    expect(() => count('last', 'account')).toThrow(new TooMany(30))
    count('last', 'other account')
    time = 60_000
    count('one', 'account')
  })

  it('calls of a user that download take a place each until they are prepared and closed, and are cut off after a while', async () => {
    const download = createTransferLimit(1, 50)
    const response = () => {
      const sent = new EventEmitter()
      return Object.assign(sent, { destroy: () => void sent.emit('close') }) as unknown as ServerResponse
    }
    const [first, second] = [response(), response()]
    let prepare: (value: string) => void = () => {}
    const prepared = new Promise<string>((resolve) => (prepare = resolve))
    const one = download('one', first, () => prepared)
    await expect(download('one', second, async () => 'two')).rejects.toThrow(TooMany)
    expect(await download('other', second, async () => 'two')).toBe('two')
    await new Promise((resolve) => first.once('close', resolve))
    await expect(download('one', second, async () => 'two')).rejects.toThrow(TooMany)
    prepare('one')
    expect(await one).toBe('one')
    await new Promise((resolve) => setTimeout(resolve))
    expect(await download('one', response(), async () => 'again')).toBe('again')
  })
})

describe('turns of calls', () => {
  const kept = () => new AbortController().signal
  const settled = () => new Promise((resolve) => setImmediate(resolve))

  it('turns of calls let an account work on few calls of a kind at once, in order, beside its other kinds and other accounts', async () => {
    const turn = createCallTurns(1, 2, () => false)
    const begun: string[] = []
    const ends = new Map<string, () => void>()
    const ask = (name: string, kind: CallKind, account: string) =>
      void turn(kind, account, kept()).then((end) => {
        begun.push(name)
        ends.set(name, end)
      })
    for (const n of [1, 2, 3, 4]) ask(`save ${n}`, 'writes', 'one')
    ask('report', 'reports', 'one')
    ask('upload', 'uploads', 'one')
    ask('read', 'reads', 'one')
    ask('other', 'writes', 'other')
    await settled()
    expect(begun).toEqual(['save 1', 'save 2', 'report', 'upload', 'read', 'other'])
    ends.get('save 2')?.()
    // Twice: when its work is done, and when its connection closes.
    ends.get('save 2')?.()
    await settled()
    expect(begun.slice(6)).toEqual(['save 3'])
  })

  it('turns of calls pause while the process is busy, for as long as the call took, when others of the account wait', async () => {
    let isBusy = true
    const turn = createCallTurns(1, 1, () => isBusy)
    let time = 0
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => time)
    onTestFinished(() => {
      vi.useRealTimers()
      clock.mockRestore()
    })
    const pass = (ms: number) => ((time += ms), vi.advanceTimersByTimeAsync(ms))
    /** Whether the next call has its turn so many milliseconds after one that took 60. */
    const begins = async (afterMs: number) => {
      let hasBegun = false
      const end = await turn('writes', 'one', kept())
      const next = turn('writes', 'one', kept()).finally(() => (hasBegun = true))
      await pass(60)
      end()
      await pass(afterMs)
      const seen = hasBegun
      await pass(60)
      ;(await next)()
      return seen
    }
    expect([await begins(59), await begins(60)]).toEqual([false, true])
    isBusy = false
    expect(await begins(0)).toBe(true)
  })

  it('turns of calls answer each of thirty slow reports at once: after half a minute the rest are refused', async () => {
    const turn = createCallTurns(1, 1, () => false)
    let time = 0
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => time)
    onTestFinished(() => {
      vi.useRealTimers()
      clock.mockRestore()
    })
    const answers: string[] = []
    for (let n = 0; n < 30; n++)
      void turn('reports', 'one', kept()).then(
        () => answers.push('begun'),
        (error: unknown) => answers.push(error instanceof TooMany ? 'too many' : 'failed'),
      )
    while (time < 30_000) {
      time += 2000
      await vi.advanceTimersByTimeAsync(2000)
    }
    expect(answers).toEqual([...Array<string>(15).fill('begun'), ...Array<string>(15).fill('too many')])
    // The queue is empty: the next call has its turn.
    await vi.advanceTimersByTimeAsync(2000)
    await turn('reports', 'one', kept())
  })

  it('turns of calls leave out calls whose client has gone, and refuse those of an account with 500 that wait', async () => {
    const turn = createCallTurns(1, 1, () => false)
    const end = await turn('writes', 'one', kept())
    const client = new AbortController()
    const left = turn('writes', 'one', client.signal).catch((error: unknown) => error)
    const next = turn('writes', 'one', kept())
    client.abort()
    end()
    expect(await left).toBeInstanceOf(Left)
    const last = await next
    const waiting = Array.from({ length: 500 }, () => turn('writes', 'one', kept()))
    await expect(turn('writes', 'one', kept())).rejects.toThrow(TooMany)
    await turn('writes', 'other', kept())
    last()
    for (const one of waiting) (await one)()
  })
})

describe('the network of an address', () => {
  it.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['unix', 'unknown'],
    ['', 'unknown'],
  ])('the network of an address of %s is %s', (ip, network) => {
    expect(networkOf(ip)).toBe(network)
  })
})
