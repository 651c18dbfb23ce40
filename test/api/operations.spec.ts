import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {
  FailedJob,
  LiveProcess,
  Queue,
  ReadModel,
  ServerError,
  Setting,
  AwayService,
  ParkedStream,
} from '#contract/operations'
import { OPERATIONS_ENDPOINTS } from '#contract/operations'
import { VERSION } from '#api/version'
import { eventually, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Paged<T> = {
  readonly total_size: number
  readonly current_page: number
  readonly page_size: number
  readonly data: readonly T[]
}
type Seen = { readonly type: string; readonly details: Readonly<Record<string, unknown>> }

/** Fine print 98. */
describe('operations', () => {
  let product: TestProduct
  let admin: Session
  beforeAll(async () => {
    product = await startTestProduct()
    admin = await product.as('admin@dsp.example')
  })
  afterAll(() => product.stop())

  const query = (text: string, values: readonly unknown[] = []) => product.database.pool.query(text, [...values])
  const get = async <T>(path: string) => (await admin.call<T>('GET', `/v1/operations/${path}`)).data
  const failed = () => get<Paged<FailedJob>>('jobs?kind=mail')
  /** A mail that was given up; the next try would succeed. */
  const giveUp = (id: string) =>
    query(
      `with mails as (
         insert into app.mails (id, whitelabel_id, person_id, template, data)
         select $1, 'dsp', (select id from identity.people where email = 'ada@nile.example'), 'password-changed', '{}' returning id
       )
       insert into app.jobs (kind, key, payload, tries, run_at, error, dead_at)
       select 'mail', id, '{"v": "1", "template": "password-changed"}', 4, now(), 'refused with 550', now() from mails`,
      [id],
    )
  const jobs = async (key: string) => (await query('select dead_at from app.jobs where key = $1', [key])).rows.length
  const recorded = async (type: string) =>
    (await admin.call<readonly Seen[]>('GET', '/v1/audit/security?order=desc&limit=50')).data.filter((one) => one.type === type)

  // covers FP-98
  it('opens to system administrators alone', async () => {
    const others = ['owner@dsp.example', 'moderator@dsp.example', 'auditor@dsp.example', 'ada@nile.example']
    for (const email of others) {
      const session = await product.as(email)
      for (const { method, path, id } of OPERATIONS_ENDPOINTS) {
        const body = method === 'POST' ? { kind: 'mail', key: 'x', read_model: 'accounts', stream: 'x', reason: 'x' } : undefined
        const { status, code } = await session.call(method, path, body)
        expect([email, id, status, code]).toEqual([email, id, 403, 3])
      }
    }
  })

  // covers FP-98
  it('needs a proof of the last five minutes for what changes something', async () => {
    const session = await product.as('admin@dsp.example')
    await query(`update identity.session_families set proved_at = now() - interval '6 minutes'`)
    try {
      for (const { method, path, id } of OPERATIONS_ENDPOINTS) {
        const { status } = await session.call(method, path, method === 'POST' ? {} : undefined)
        expect([id, status]).toEqual([id, method === 'POST' ? 401 : 200])
      }
    } finally {
      await query(`update identity.session_families set proved_at = now()`)
    }
  })

  it('counts a job that was given up in the queue of its kind', async () => {
    const before = (await get<{ queues: readonly Queue[] }>('queues')).queues
    await giveUp('counted')
    const after = (await get<{ queues: readonly Queue[] }>('queues')).queues
    const dead = (queues: readonly Queue[]) => queues.find(({ name }) => name === 'mail')?.dead
    expect(dead(after)).toBe((dead(before) ?? 0) + 1)
    expect(after.filter(({ is_jobs }) => !is_jobs).map(({ name }) => name)).toContain('conversions')
    await query(`delete from app.jobs where key = 'counted'`)
  })

  // covers FP-98
  it('tries a failed job again, which is then over, and records the reason', async () => {
    await giveUp('again')
    expect((await failed()).data).toMatchObject([
      { kind: 'mail', key: 'again', tries: 4, error: 'refused with 550', dead_at: expect.any(String), next_at: null },
    ])
    const body = { kind: 'mail', key: 'again', reason: ' The server is back ' }
    expect((await admin.call('POST', '/v1/operations/jobs/retry', body)).code).toBe(0)
    await eventually(
      () => jobs('again'),
      (count) => count === 0,
    )
    expect((await failed()).total_size).toBe(0)
    expect((await recorded('job-retried'))[0]?.details).toEqual({ kind: 'mail', key: 'again', reason: 'The server is back' })
    expect((await admin.call('POST', '/v1/operations/jobs/retry', body)).code).toBe(131)
  })

  // covers FP-98
  it('discards a job that was given up, and none that is still repeated', async () => {
    await giveUp('gone')
    await giveUp('repeated')
    await query(`update app.jobs set dead_at = null, run_at = now() + interval '1 day' where key = 'repeated'`)
    const discard = (key: string) =>
      admin.call('POST', '/v1/operations/jobs/discard', { kind: 'mail', key, reason: 'Sent by hand' })
    expect((await discard('repeated')).code).toBe(131)
    expect((await discard('gone')).code).toBe(0)
    expect([await jobs('gone'), await jobs('repeated')]).toEqual([0, 1])
    expect((await failed()).data).toMatchObject([{ key: 'repeated', dead_at: null, next_at: expect.any(String) }])
    expect((await recorded('job-discarded')).map(({ details }) => details)).toEqual([
      { kind: 'mail', key: 'gone', reason: 'Sent by hand' },
    ])
    await query(`delete from app.jobs where key = 'repeated'`)
  })

  it('lists failed jobs in pages', async () => {
    for (const id of ['p1', 'p2', 'p3']) await giveUp(id)
    const pages = await Promise.all([0, 1, 2].map((page) => get<Paged<FailedJob>>(`jobs?page=${page}&page_size=2`)))
    expect(pages.map(({ data, total_size }) => [data.map(({ key }) => key), total_size])).toEqual([
      [['p3', 'p2'], 3],
      [['p1'], 3],
      [[], 3],
    ])
    await query(`delete from app.jobs where key like 'p_'`)
  })

  // covers FP-98
  it('refuses an act without a reason', async () => {
    const { code } = await admin.call('POST', '/v1/operations/jobs/retry', { kind: 'mail', key: 'x', reason: ' ' })
    expect(code).toBe(2)
  })

  // covers FP-98
  it('shows each read model with the process that leads it', async () => {
    const { read_models } = await get<{ read_models: readonly ReadModel[] }>('read-models')
    const { processes } = await get<{ processes: readonly LiveProcess[] }>('processes')
    const [self] = processes
    expect(read_models.map(({ name }) => name)).toContain('campaign-list')
    expect(new Set(read_models.map(({ leader }) => leader))).toEqual(new Set([`${self?.host}:${self?.pid}`]))
    expect(read_models.filter(({ error, parked }) => error !== null || parked > 0)).toEqual([])
  })

  // covers FP-98
  it('applies a parked stream again, and refuses one that is not parked', async () => {
    const { rows } = await query(
      `select s.name, s.generation, e.stream_id as stream, s.position
       from es.subscriptions s, lateral (select stream_id from es.events where stream_id like 'campaign-%' limit 1) e
       where s.name = 'campaign-list' and s.status = 'live'`,
    )
    const [{ name, generation, stream, position }] = rows
    await query(
      `insert into es.dead_letters (name, generation, stream_id, position, attempts, error) values ($1, $2, $3, $4::bigint + 1000000, 4, '{"message": "cannot be applied"}')`,
      [name, generation, stream, position],
    )
    await query(`update es.subscriptions set parked = parked + 1 where name = $1 and generation = $2`, [name, generation])
    const parked = () => get<{ parked: readonly ParkedStream[] }>('read-models')
    expect((await parked()).parked).toMatchObject([{ read_model: name, stream, error: 'cannot be applied' }])
    const retry = (read_model: string) =>
      admin.call<{ applied: boolean; error: string | null }>('POST', '/v1/operations/read-models/retry', {
        read_model,
        stream,
        reason: 'Fixed',
      })
    expect((await retry('accounts')).code).toBe(131)
    const answer = await retry(name)
    expect(answer.code).toBe(0)
    expect((await parked()).parked).toHaveLength(answer.data.applied ? 0 : 1)
    expect(answer.data).toEqual({ applied: true, error: null })
    expect((await recorded('stream-retried'))[0]?.details).toMatchObject({
      read_model: name,
      stream,
      reason: 'Fixed',
      applied: 1,
    })
  })

  // covers FP-98
  it('lists the processes that are alive, and not those that are silent', async () => {
    await query(
      `insert into app.processes (id, host, pid, role, version, seen_at, away)
       values ('silent', 'h', 1, 'api', '0', now() - interval '31 seconds', '[]'), ('dead', 'h', 2, 'api', '0', now() - interval '11 minutes', '[]')`,
    )
    const { processes } = await get<{ processes: readonly LiveProcess[] }>('processes')
    expect(processes).toMatchObject([{ role: 'all', version: VERSION, pid: process.pid }])
    await eventually(
      async () => (await query(`select id from app.processes where id in ('silent', 'dead')`)).rows,
      (rows) => rows.length === 1,
    )
    expect((await query(`select id from app.processes where id in ('silent', 'dead')`)).rows).toEqual([{ id: 'silent' }])
  })

  it('shows a service that is away with the first moment at which a process noticed it', async () => {
    await query(
      `insert into app.processes (id, host, pid, role, version, away) values
       ('one', 'h', 1, 'api', '0', '[{"name": "mail server", "since": "2026-01-01T00:00:02.000Z"}]'),
       ('two', 'h', 2, 'api', '0', '[{"name": "mail server", "since": "2026-01-01T00:00:01.000Z"}]')`,
    )
    const { away } = await get<{ away: readonly AwayService[] }>('processes')
    expect(away).toEqual([{ name: 'mail server', since: '2026-01-01T00:00:01.000Z', processes: 2 }])
    await query(`delete from app.processes where id in ('one', 'two')`)
  })

  // covers FP-98
  it('shows the settings in force without the values of secrets', async () => {
    const { settings } = await get<{ settings: readonly Setting[] }>('settings')
    const url = product.database.url
    expect(settings.find(({ name }) => name === 'DATABASE_URL')).toEqual({
      name: 'DATABASE_URL',
      value: null,
      is_secret: true,
      is_set: true,
    })
    expect(JSON.stringify(settings)).not.toContain(url)
  })

  // covers FP-98
  it('finds an answer with 5xx by the id of its request, and keeps 200 errors', async () => {
    await query(
      `insert into app.server_errors (at, host, pid, message) select now(), 'h', 1, 'old ' || n from generate_series(1, 250) as n`,
    )
    await query('alter table app.campaign_names rename to campaign_names_away')
    try {
      const owner = await product.as('ada@nile.example')
      const body = { name: 'Fails', country: 'EG', budget: 50, bidding_strategy: { type: 'awareness' } }
      const { status } = await owner.call('POST', '/v1/campaign', body, { 'X-Request-Id': 'FAILS-1' })
      expect(status).toBe(500)
    } finally {
      await query('alter table app.campaign_names_away rename to campaign_names')
    }
    const found = await eventually(
      () => get<Paged<ServerError>>('errors?request_id=FAILS-1'),
      ({ total_size }) => total_size > 0,
    )
    expect(found.data).toContainEqual(expect.objectContaining({ request_id: 'FAILS-1', route: 'POST /v1/campaign', status: 500 }))
    const all = await get<Paged<ServerError>>('errors?page_size=1')
    expect([all.total_size, all.data.length]).toEqual([200, 1])
  })
})
