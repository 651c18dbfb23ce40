import { once } from 'node:events'
import { sql, type Kysely } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { DONE, jobKind, type Job, type JobStore, type WorkedKind } from '#commands/jobs/job'
import { createJobWorker } from '#commands/jobs/job-worker'
import { systemContext } from '#domain/kit/event-metadata'
import { Away } from '#eventstore/away'
import type { Db } from '#migrations/db'
import { createKysely } from '#platform/database/pool'
import { removeJobs, removeUntriedJobs, storeWithJob } from '#platform/jobs/job-queue'
import { createFailing, failingSweeps } from '#platform/jobs/failing'
import { createJobStore, jobFigures, listJobs, purgeJobs, retryJobs } from '#platform/jobs/job-store'
import { createRegistrationStore } from '#platform/registration/registration-store'
import { createTestDatabase, untilBlocked, type TestDatabase } from '../support/database.ts'
import { eventually } from '../support/product.ts'

const FORM = {
  email: 'nadia@delta.example',
  first_name: 'Nadia',
  last_name: 'Osei',
  phone: '+2348012345678',
  country: 'NG',
  company_name: 'Delta Foods',
  currency: 'USD',
  agree_with_tos: true,
  language_key: 1,
}
const KIND = jobKind('parcel', 1, ['street'])
const OTHER = jobKind('postcard', 1, [])

let database: TestDatabase
let db: Kysely<Db>
const workers: { readonly stop: () => Promise<void> }[] = []
beforeEach(async () => {
  database = await createTestDatabase()
  db = createKysely(database.pool)
})
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()))
  await database.drop()
})

const queued = (key: string, afterSeconds = 0, on = db) =>
  storeWithJob(on, sql`select ${key}::text as key`, { kind: KIND, payload: { street: 'Main' }, afterSeconds })
const query = async (text: string) => (await database.pool.query(text)).rows
const taken = async (store: JobStore, most: number, leaseSeconds = 60): Promise<readonly Job[]> =>
  store.take([{ kind: KIND.name, most, leaseSeconds }])
const keysOf = (jobs: readonly Job[]) => jobs.map(({ key }) => key).toSorted()
const first = ([job]: readonly Job[]): Job => {
  if (job === undefined) throw new Error('no job was taken')
  return job
}
const leaseIsOver = () => query(`update app.jobs set leased_until = now() - interval '1 second' where leased_until is not null`)

describe('items that a sweep cannot handle', () => {
  it('items that a sweep cannot handle are retried at once three times, then wait longer and longer, while others go on', async () => {
    const failing = createFailing(db)
    const fail = () => failing.failed('reports', 'bad', new Error(`no ${'x'.repeat(600)}\u{1F600}`))
    for (let n = 0; n < 3; n++) await fail()
    expect([await failing.keys('reports'), await failing.waiting('reports'), await failingSweeps(db)]).toEqual([['bad'], [], []])
    const pauses: unknown[] = []
    for (let n = 4; n < 14; n++) {
      await fail()
      const [row] = await query(
        `select round(extract(epoch from run_at - now()))::int as pause, length(error) as length from app.jobs`,
      )
      pauses.push(row.pause)
      expect(row.length).toBe(500)
    }
    // Half a second may pass before the row is read.
    expect(pauses.map((pause) => Math.round(Number(pause) / 5) * 5)).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600, 600])
    expect([await failing.waiting('reports'), await failing.waiting('others')]).toEqual([['bad'], []])
    expect(await failingSweeps(db)).toEqual(['sweep reports'])
    expect(await jobFigures(db, ['mail'])).toMatchObject([
      { kind: 'mail', dead: 0 },
      { kind: 'sweep reports', dead: 1 },
    ])
    expect(await listJobs(db, { kind: null, dead: true, most: 9 })).toMatchObject([
      { kind: 'sweep reports', key: 'bad', tries: 13 },
    ])
  })

  it('items that a sweep cannot handle are taken at once when an operator retries them, and forgotten once they are handled', async () => {
    const failing = createFailing(db)
    for (let n = 0; n < 4; n++) await failing.failed('reports', 'bad', 'no')
    expect(await retryJobs(db, { kind: 'sweep reports', key: 'bad' })).toBe(1)
    expect([await failing.keys('reports'), await failing.waiting('reports'), await failingSweeps(db)]).toEqual([['bad'], [], []])
    await failing.succeeded('reports', ['bad', 'other'])
    expect(await failing.keys('reports')).toEqual([])
  })

  it('items that a sweep cannot handle are forgotten once they are no longer due, and raise no alert of late jobs meanwhile', async () => {
    const failing = createFailing(db)
    await failing.failed('reports', 'gone', 'no')
    for (let n = 0; n < 4; n++) await failing.failed('reports', 'parked', 'no')
    await query(`update app.jobs set run_at = now() - interval '50 minutes'`)
    expect(await jobFigures(db, [])).toMatchObject([{ kind: 'sweep reports', due: 0, oldest: 0, waiting: 1, dead: 1 }])
    await purgeJobs(db)
    expect((await failing.keys('reports')).toSorted()).toEqual(['gone', 'parked'])
    await query(`update app.jobs set run_at = now() - interval '61 minutes'`)
    await purgeJobs(db)
    expect([await failing.keys('reports'), await failingSweeps(db)]).toEqual([[], []])
  })

  it('items that a sweep cannot handle are taken by no worker of jobs', async () => {
    for (let n = 0; n < 4; n++) await createFailing(db).failed('reports', 'bad', 'no')
    expect(await taken(createJobStore(db, 'worker'), 9)).toEqual([])
  })
})

describe('the table of jobs', () => {
  it('holds one job for a key, which commits or is rolled back with what causes it', async () => {
    expect([await queued('one'), await queued('one')]).toEqual([true, false])
    await db
      .transaction()
      .execute(async (tx) => {
        await queued('rolled back', 0, tx)
        throw new Error('undone')
      })
      .catch(() => undefined)
    expect(await listJobs(db, { kind: null, dead: false, most: 10 })).toMatchObject([{ kind: 'parcel', key: 'one', tries: 0 }])
  })

  it('two workers never hold the same job', async () => {
    for (const key of ['a', 'b', 'c']) await queued(key)
    let commit = () => {}
    const isTaken = new Promise<readonly Job[]>((resolve) => {
      void db.transaction().execute(async (tx) => {
        resolve(await taken(createJobStore(tx, 'one'), 2))
        await new Promise<void>((end) => (commit = end))
      })
    })
    const ofFirst = keysOf(await isTaken)
    const second = taken(createJobStore(db, 'two'), 3)
    const isBlocked = await untilBlocked(database.pool, second)
    commit()
    expect(isBlocked).toBe(false)
    const ofSecond = keysOf(await second)
    expect([...ofFirst, ...ofSecond].toSorted()).toEqual(['a', 'b', 'c'])
    expect(ofFirst).toHaveLength(2)
  })

  it('gives the job of a worker that was killed to another one after its lease, and not before', async () => {
    await queued('a')
    expect(await taken(createJobStore(db, 'killed'), 5)).toMatchObject([{ key: 'a', tries: 1 }])
    const other = createJobStore(db, 'other')
    expect(await taken(other, 5)).toEqual([])
    await leaseIsOver()
    expect(await taken(other, 5)).toMatchObject([{ key: 'a', tries: 2 }])
  })

  it('ends nothing of a job that another worker has taken', async () => {
    await queued('a')
    const late = createJobStore(db, 'late')
    const job = first(await taken(late, 1))
    await leaseIsOver()
    expect(await taken(createJobStore(db, 'other'), 1)).toHaveLength(1)
    const before = await query('select * from app.jobs')
    await late.remove(job)
    await late.postpone(job, 1000, 'late')
    await late.bury(job, 'late')
    await late.renew([job], 600)
    expect(await query('select * from app.jobs')).toEqual(before)
  })

  it('gives those that are due longest first, and none before its time', async () => {
    await queued('later', 60)
    for (const key of ['third', 'first', 'second']) await queued(key)
    await query(`update app.jobs set run_at = now() - case key when 'first' then interval '3 s' when 'second' then interval '2 s'
      else interval '1 s' end where key <> 'later'`)
    const store = createJobStore(db, 'one')
    expect(keysOf(await taken(store, 2))).toEqual(['first', 'second'])
    expect(keysOf(await taken(store, 2))).toEqual(['third'])
  })

  it('removes jobs of subjects that are over, and on request only those that were not tried', async () => {
    for (const key of ['tried', 'untried', 'other']) await queued(key)
    await query(`update app.jobs set tries = 1 where key = 'tried'`)
    expect(await removeUntriedJobs(db, KIND, ['tried', 'untried'])).toEqual(['untried'])
    await removeJobs(db, KIND, ['tried'])
    expect(await query('select key from app.jobs')).toEqual([{ key: 'other' }])
  })

  it('retries the job that the operator names and no other', async () => {
    for (const key of ['one', 'two']) await queued(key, 3600)
    expect(await retryJobs(db, { kind: null, key: 'one' })).toBe(1)
    expect(await query('select key from app.jobs where run_at <= now()')).toEqual([{ key: 'one' }])
  })

  it('keeps dead jobs for their operator for 30 days', async () => {
    for (const key of ['old', 'new', 'open']) await queued(key)
    await query(`update app.jobs set dead_at = now() - case key when 'old' then interval '31 days' else interval '29 days' end
      where key <> 'open'`)
    await purgeJobs(db)
    expect(await query('select key from app.jobs order by key')).toEqual([{ key: 'new' }, { key: 'open' }])
  })

  it('counts due, running, waiting and dead jobs of every kind, also of those without a job', async () => {
    for (const key of ['due', 'running', 'dead']) await queued(key)
    await queued('waiting', 60)
    await query(`update app.jobs set run_at = now() - interval '90 s' where key = 'due'`)
    await query(`update app.jobs set leased_until = now() + interval '1 hour' where key = 'running'`)
    await query(`update app.jobs set dead_at = now() where key = 'dead'`)
    const figures = await jobFigures(db, ['parcel', 'postcard'])
    expect(figures.toSorted((a, b) => a.kind.localeCompare(b.kind))).toEqual([
      {
        kind: 'parcel',
        due: 1,
        running: 1,
        waiting: 1,
        dead: 1,
        oldest: expect.closeTo(90, -1),
        unfinished: expect.closeTo(90, -1),
      },
      { kind: 'postcard', due: 0, running: 0, waiting: 0, dead: 0, oldest: 0, unfinished: 0 },
    ])
  })
})

describe('a worker of jobs', () => {
  const errors: unknown[] = []
  const deaths: string[] = []
  beforeEach(() => {
    errors.length = 0
    deaths.length = 0
  })

  const POLICY = { kind: KIND.name, atOnce: 4, tries: 3, backoff: { firstMs: 1, longestMs: 1 }, leaseSeconds: 60 }
  function workerOf(name: string, ...kinds: readonly WorkedKind[]) {
    const worker = createJobWorker({
      store: createJobStore(db, name),
      kinds,
      onError: (error) => errors.push(error),
      onDead: ({ key }, reason) => deaths.push(`${key}: ${reason}`),
    })
    workers.push(worker)
    return worker
  }
  /** Scans until the test is over. */
  function started(name: string, ...kinds: readonly WorkedKind[]) {
    const worker = workerOf(name, ...kinds)
    const timer = setInterval(() => void worker.scan([]), 20)
    const stop = async () => {
      clearInterval(timer)
      await worker.stop()
    }
    workers.push({ stop })
    return { stop }
  }
  const jobs = () => listJobs(db, { kind: null, dead: false, most: 1000 })
  const areDone = () => eventually(jobs, (all) => all.length === 0)

  it('carries out each job once and removes it, with many workers', async () => {
    const ran: string[] = []
    for (let n = 0; n < 60; n += 1) await queued(String(n))
    const kind: WorkedKind = {
      ...POLICY,
      run: async (job) => {
        expect(KIND.read(job)).toMatchObject({ street: 'Main' })
        ran.push(job.key)
        return DONE
      },
    }
    for (const name of ['one', 'two', 'three']) started(name, kind)
    await areDone()
    expect(ran.toSorted()).toEqual(Array.from({ length: 60 }, (_, n) => String(n)).toSorted())
  })

  it('renews the lease of a job that takes longer than it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    await queued('slow')
    let runs = 0
    let finish: () => void = () => {}
    const finished = new Promise<void>((resolve) => (finish = resolve))
    const run = async () => {
      runs += 1
      await finished
      return DONE
    }
    const [one, two] = ['one', 'two'].map((name) => workerOf(name, { ...POLICY, run }))
    await one?.scan([])
    await leaseIsOver()
    vi.advanceTimersByTime((POLICY.leaseSeconds / 2) * 1000)
    await eventually(
      () => query('select 1 from app.jobs where leased_until > now()'),
      (leased) => leased.length === 1,
    )
    await two?.scan([])
    finish()
    await areDone()
    expect(runs).toBe(1)
  })

  it('gives a job up after its last try, and carries it out once its operator retries it', async () => {
    await queued('bad')
    let tries = 0
    let works = false
    const run = async ({ key }: Job) => {
      if (key === 'next') return DONE
      tries += 1
      if (!works) throw new Error('broken')
      return DONE
    }
    started('one', { ...POLICY, run })
    await eventually(
      async () => deaths.length,
      (n) => n > 0,
    )
    // A later scan takes the next job and leaves the dead one.
    await queued('next')
    await eventually(jobs, (all) => all.every(({ dead }) => dead))
    expect(deaths).toEqual(['bad: broken'])
    expect(tries).toBe(3)
    expect(await listJobs(db, { kind: null, dead: true, most: 10 })).toMatchObject([{ key: 'bad', tries: 3, error: 'broken' }])
    works = true
    expect(await retryJobs(db, { kind: KIND.name, key: 'bad' })).toBe(1)
    await areDone()
    expect(tries).toBe(4)
  })

  it('gives none up while something outside is away, and at once one that it cannot read', async () => {
    await queued('waits')
    let calls = 0
    started('one', {
      ...POLICY,
      run: async () => {
        calls += 1
        throw new Away('the log')
      },
    })
    await eventually(
      async () => calls,
      (n) => n > 5,
    )
    expect(deaths).toEqual([])
    await query(`insert into app.jobs (kind, key, payload) values ('postcard', 'newer', '{"v": "2"}')`)
    started('two', { ...POLICY, kind: OTHER.name, run: async (job) => (OTHER.read(job), DONE) })
    await eventually(
      async () => deaths,
      ([death]) => death?.startsWith('newer: its payload') === true,
    )
  })

  it('waits longer after each failure, and starts again after a success', async () => {
    await queued('polls')
    const outcomes: readonly (number | null)[] = [null, null, 0]
    const seen: number[] = []
    started('one', {
      ...POLICY,
      tries: null,
      run: async ({ tries }) => {
        seen.push(tries)
        const afterMs = outcomes[seen.length - 1]
        if (afterMs === null) throw new Error('later')
        return afterMs === undefined ? DONE : { kind: 'again', afterMs }
      },
    })
    await areDone()
    expect(seen).toEqual([1, 2, 3, 1])
  })

  it('a worker of jobs with a flood of one kind carries out the others', async () => {
    await query(`insert into app.jobs (kind, key, payload, run_at)
      select 'parcel', n::text, '{"v": "1", "street": "Main"}', now() - interval '1 hour' from generate_series(1, 500) n`)
    const postcard = async (key: string) => {
      await query(`insert into app.jobs (kind, key, payload) values ('postcard', '${key}', '{"v": "1"}')`)
      await eventually(
        () => query(`select 1 from app.jobs where kind = 'postcard'`),
        (rows) => rows.length === 0,
      )
    }
    let running = 0
    let most = 0
    const flood = async (_: Job, signal: AbortSignal) => {
      most = Math.max(most, (running += 1))
      await once(signal, 'abort')
      throw signal.reason
    }
    const worker = started('one', { ...POLICY, run: flood }, { ...POLICY, kind: OTHER.name, run: async () => DONE })
    for (const key of ['one', 'two', 'three']) await postcard(key)
    expect(most).toBe(4)
    await worker.stop()
    // A job that a stop ends is due at once, and no failure.
    expect(await query(`select 1 from app.jobs where leased_until is not null or tries > 0 or error is not null`)).toEqual([])
    expect(errors).toEqual([])
  })

  it('takes none while it is paused', async () => {
    await queued('a')
    let isPaused = true
    const other: WorkedKind = { ...POLICY, kind: OTHER.name, run: async () => DONE }
    started('one', { ...POLICY, run: async () => DONE, isPaused: () => isPaused }, other)
    await query(`insert into app.jobs (kind, key, payload) values ('postcard', 'other', '{"v": "1"}')`)
    await eventually(jobs, (all) => all.length === 1)
    expect(await jobs()).toMatchObject([{ key: 'a', tries: 0 }])
    isPaused = false
    await areDone()
  })
})

it('a registration that is repeated just after it was carried out has a job again', async () => {
  const store = createRegistrationStore(db)
  const request = { id: 'one', whitelabel_id: 'dsp', person_id: null, context: systemContext('registration', 'one'), form: FORM }
  await store.storeRequest(request)
  await store.removeRequest('one')
  await store.storeRequest(request)
  expect(await query('select r.id from app.registration_requests r join app.jobs j on j.key = r.id')).toEqual([{ id: 'one' }])
})
