import { randomUUID } from 'node:crypto'
import { request, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createKysely } from '#platform/database/pool'
import { createServiceCredentials } from '#platform/identity/service-credentials'
import { newId } from '#platform/ids'
import { servedList, settledAudience, uploadAudience } from '../support/audiences.ts'
import { DELIVERED, deliveryIn, hour } from '../support/delivery.ts'
import { eventually, sendFile, startTestProduct, type Session, type TestProduct } from '../support/product.ts'
import { longestTurn, processorMs } from '../support/processor.ts'

let product: TestProduct
let delivery: Awaited<ReturnType<typeof deliveryIn>>
let ada: Session
let bola: Session
let lagos = ''
beforeAll(async () => {
  product = await startTestProduct({ ...DELIVERED, PLACARD_POOL_CALLS: '10' })
  delivery = await deliveryIn(product)
  ada = delivery.ada
  bola = await product.as('bola@lagos.example')
  lagos = (await bola.call<{ space_id: string }>('GET', '/v1/user/me')).data.space_id
})
afterAll(() => product.stop())

/** How long another account waits for an answer, milliseconds. */
async function answered(): Promise<number> {
  const began = performance.now()
  const call = bola.call('GET', `/v1/space/balance/${lagos}`)
  expect(await Promise.race([call.then(({ code }) => code), delay(9000, 'no answer', { ref: false })])).toBe(0)
  return performance.now() - began
}

const ready = async (): Promise<{ status: string }> => (await fetch(`${product.base}/health/ready`)).json()

/** The secret of a new credential of a bidder. */
const bidderOf = async (whitelabelId: string): Promise<string> =>
  (
    await createServiceCredentials(createKysely(product.database.pool), () => new Date().toISOString(), newId).create({
      whitelabelId,
      kind: 'bidder',
      name: randomUUID(),
      exchange: null,
      created_by: 'test',
      expires_at: '2099-01-01T00:00:00.000Z',
    })
  ).secret

describe('28 uploads of audiences at once, of two accounts', () => {
  it('28 concurrent uploads of two accounts leave connections to the calls of others, and are all merged', async () => {
    const file = Array.from({ length: 300 }, () => randomUUID()).join('\n')
    const sent = await Promise.all(
      Array.from({ length: 28 }, async (_, n) => {
        const by = n % 2 === 0 ? ada : bola
        return { by, ...(await uploadAudience(product.base, by, file, { name: randomUUID() })) }
      }),
    )
    expect(sent.filter(({ code }) => code !== 0)).toEqual([])
    expect(await answered()).toBeLessThan(5000)
    for (const { by, data } of sent) expect((await settledAudience(by, data.id)).matched).toBe(300)
  })

  it('28 concurrent uploads of two accounts are refused with 429 beyond those that one account may send at once', async () => {
    const sent = await Promise.all(
      Array.from({ length: 40 }, () => uploadAudience(product.base, ada, randomUUID(), { name: randomUUID() })),
    )
    const refused = sent.filter(({ code }) => code !== 0)
    expect(refused.every(({ status }) => status === 429)).toBe(true)
    expect(sent.length - refused.length).toBeGreaterThanOrEqual(16)
    expect(await answered()).toBeLessThan(5000)
  })
})

describe('a hostile file or body is answered in time, with its code, while others are served', () => {
  const MIB = 1024 ** 2
  const audience = (content: string | Buffer) => () => uploadAudience(product.base, ada, content, { name: randomUUID() })
  const whitelist = (content: string | Buffer) => () =>
    sendFile(product.base, ada.token, `/v1/campaign/whitelist/${delivery.space}`, Buffer.from(content))
  const events = (body: string) => async () => {
    const headers = { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' }
    const response = await fetch(`${product.base}/v1/events`, { method: 'POST', headers, body })
    const envelope: { readonly type: { readonly code: number } } = await response.json()
    return { status: response.status, code: envelope.type.code }
  }
  const many = (times: number, text: (n: number) => string) => Array.from({ length: times }, (_, n) => text(n)).join()
  const event = (parameters: string) => `{"name": "a", "custom_parameters": ${parameters}}`

  it.each<
    readonly [what: string, send: () => Promise<{ readonly status: number; readonly code: number }>, status: number, code: number]
  >([
    ['an audience of a million columns', audience(`${';'.repeat(1_000_000)}\n`), 400, 2],
    ['an audience of 20 MiB of tabs', audience(Buffer.alloc(20 * MIB, '\t')), 400, 2],
    ['an audience of 4 MiB of rows of one digit', audience(Buffer.alloc(4 * MIB, '7\r\n')), 400, 182],
    ['an audience of 20 MiB behind a quote', audience(Buffer.concat([Buffer.from('"'), Buffer.alloc(20 * MIB, 'a,')])), 400, 2],
    ['an audience of 20 MiB of quotes', audience(Buffer.alloc(20 * MIB, '"')), 400, 2],
    ['an audience of 20 MiB of NUL characters', audience(Buffer.alloc(20 * MIB)), 400, 2],
    ['an audience of 20 MiB of bytes that are no text', audience(Buffer.alloc(20 * MIB, 0xfe)), 400, 2],
    ['an audience of 50 rows of a quarter of a megabyte', audience(`+${'(1) '.repeat(62_000)}\n`.repeat(50)), 400, 182],
    ['an audience of a compressed archive', audience(gzipSync(Buffer.alloc(100 * MIB))), 400, 2],
    ['a whitelist of 9 MiB of NUL characters', whitelist(Buffer.alloc(9 * MIB)), 400, 2],
    ['a whitelist of 9 MiB of bytes that are no text', whitelist(Buffer.alloc(9 * MIB, 0xc3)), 400, 2],
    ['a whitelist of a compressed archive', whitelist(gzipSync(Buffer.alloc(100 * MIB))), 400, 2],
    ['a whitelist of 30 MiB', whitelist(Buffer.alloc(30 * MIB, 'a.example\n')), 413, 181],
    ['events of 60,000 parameters', events(`{"events": [${event(`{${many(60_000, (n) => `"k${n}":"v"`)}}`)}]}`), 400, 2],
    [
      '100,000 wrong parameters of events',
      events(`{"events": [${many(500, () => event(`{${many(200, (n) => `"${n}":1`)}}`))}]}`),
      400,
      2,
    ],
    ['300,000 events', events(`{"events": [${'{},'.repeat(300_000)}{}]}`), 400, 2],
    ['events nested 400,000 deep', events(`{"events": ${'[{"a":'.repeat(150_000)}`), 400, 2],
    ['a text of events that never ends', events(`{"events": [{"name": "${'\\"'.repeat(400_000)}`), 400, 2],
    ['a NUL character in a parameter of events', events(`{"events": [${event('{"a":"\\u0000"}')}]}`), 400, 2],
    ['a value of events of a million digits', events(`{"events": [{"name": "a", "value": ${'9'.repeat(1_000_000)}}]}`), 400, 2],
    ['events larger than a body may be', events(`{"events": [{"name": "${'a'.repeat(2 * MIB)}"}]}`), 413, 2],
  ])('a hostile file or body: %s', async (_, send, status, code) => {
    const blocked = longestTurn()
    const memory = process.memoryUsage().rss
    const began = processorMs()
    const sent = send()
    let [done, slowest] = [false, 0]
    void sent.finally(() => (done = true)).catch(() => {})
    do slowest = Math.max(slowest, await answered())
    while (!done)
    expect(await sent).toMatchObject({ status, code })
    expect(processorMs() - began).toBeLessThan(20_000)
    expect(slowest).toBeLessThan(2000)
    expect(blocked()).toBeLessThan(3000)
    expect((process.memoryUsage().rss - memory) / MIB).toBeLessThan(400)
  })
})

describe('calls that wait for a lock', () => {
  /** Twelve calls of each account that do not return before the work is done. */
  async function whileWaiting(accounts: readonly Session[], work: () => Promise<void>): Promise<void> {
    const audiences = await Promise.all(
      accounts.map(async (by) => {
        const { data } = await uploadAudience(product.base, by, randomUUID(), { name: randomUUID() })
        await settledAudience(by, data.id)
        return { by, id: data.id }
      }),
    )
    const lock = await product.database.pool.connect()
    try {
      await lock.query('begin')
      await lock.query('lock table app.audience_sizes in access exclusive mode')
      const calls = audiences.flatMap(({ by, id }) =>
        Array.from({ length: 12 }, () => by.call('GET', `/v1/segment-audience/${id}`)),
      )
      await delay(300)
      await work()
      await lock.query('rollback')
      expect((await Promise.all(calls)).filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(10)
    } finally {
      await lock.query('rollback')
      lock.release()
    }
    expect(await answered()).toBeLessThan(5000)
    expect((await ready()).status).toBe('ok')
  }

  it('calls of one account that wait for a lock leave connections to the others', () =>
    whileWaiting([ada], async () => {
      expect(await answered()).toBeLessThan(2000)
      expect((await ready()).status).toBe('ok')
    }))

  it('calls of several accounts that wait for a lock make the process not ready, and other calls get 503 within seconds', async () => {
    const owner = await product.as('owner@dsp.example')
    const balance = `/v1/space/balance/${delivery.space}`
    expect((await owner.call('GET', balance)).code).toBe(0)
    await whileWaiting([ada, bola], async () => {
      // Three of each at first, and others once the turns of these are over.
      const health = await eventually(ready, ({ status }) => status === 'waiting')
      expect(health).toMatchObject({ waiting: expect.arrayContaining(['database connections']) })
      const other = await owner.call('GET', balance)
      expect([other.status, other.headers.get('retry-after')]).toEqual([503, '1'])
    })
  })
})

describe('downloads that their clients do not read', () => {
  const day = new Date().toISOString().slice(0, 10)
  const open: IncomingMessage[] = []
  afterAll(() => open.forEach((response) => response.destroy()))

  /** The status, once there are headers; the body is not read. */
  const download = (by: Session, id: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = request(`${product.base}/v1/campaign/report/download/traffic-source`, {
        method: 'POST',
        agent: false,
        headers: { authorization: `Bearer ${by.token}`, 'content-type': 'application/json' },
      })
      sent.on('error', reject)
      sent.on('response', (response) => {
        open.push(response)
        response.on('error', () => {})
        resolve(response.statusCode ?? 0)
      })
      sent.end(JSON.stringify({ id, from_date: day, to_date: day }))
    })

  it('downloads that their clients do not read hold no connection, and are four at once for a user', async () => {
    const id = await delivery.running({ budget: 100 })
    const row = { hour: hour(), campaign_id: id, impressions: 10, spent: 0.01 }
    expect((await delivery.send(newId(), [row])).code).toBe(0)
    await product.database.pool.query(
      `with made as (
         insert into facts.names (digest, name)
         select substring(sha256(convert_to(name, 'UTF8')) from 1 for 16), name
         from (select $2 || repeat('a', 960) || n as name from generate_series(1, 12000) n) as names returning id
       )
       insert into facts.rows
       select (jsonb_populate_record(r, jsonb_build_object('app_or_site', made.id))).*
       from facts.rows r join facts.owners o on o.id = r.owner, made where o.campaign_id = $1`,
      [id, newId()],
    )
    const people = [ada, await product.as('owner@dsp.example'), await product.as('admin@dsp.example')]
    // A busy machine may ask for another attempt.
    const answer = (by: Session) =>
      eventually(
        () => download(by, id),
        (status) => status !== 503,
      )
    const statuses = await Promise.all(people.flatMap((by) => Array.from({ length: 6 }, () => answer(by))))
    expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array<number>(12).fill(200), ...Array<number>(6).fill(429)])
    expect(await answered()).toBeLessThan(5000)
    expect((await ready()).status).toBe('ok')
    open.forEach((response) => response.destroy())
    await eventually(
      () => download(ada, id),
      (status) => status === 200,
    )
  })
})

describe('reads of an account that take long', () => {
  it('reads of an account that take long are three at once, and keep neither its saves nor another account waiting', async () => {
    const content = { name: randomUUID(), country: 'EG', bidding_strategy: { type: 'awareness' } }
    const { id } = (await ada.call('POST', '/v1/campaign', content)).data
    const lock = await product.database.pool.connect()
    await lock.query('begin')
    await lock.query('lock table rm_audiences in access exclusive mode')
    try {
      const reads = Array.from({ length: 9 }, () => ada.call('POST', '/v1/segment-audience/list', {}))
      await delay(700)
      const { rows } = await product.database.pool.query(
        `select left(query, 40) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%rm_audiences%'`,
      )
      // One more may be the product's own.
      expect([3, 4]).toContain(rows.length)
      expect(await answered()).toBeLessThan(2000)
      expect((await ada.call('PUT', '/v1/campaign', { id, budget: 70 })).code).toBe(0)
      await lock.query('rollback')
      expect((await Promise.all(reads)).map(({ code }) => code)).toEqual(reads.map(() => 0))
    } finally {
      await lock.query('rollback')
      lock.release()
    }
  })
})

/** Calls of a bidder at once, of which so many wait and the others are refused, while another account is served. */
async function atOnce(path: string, most: number, locked: string): Promise<void> {
  const headers = { authorization: `Bearer ${await bidderOf('dsp')}` }
  const lock = await product.database.pool.connect()
  try {
    await lock.query('begin')
    await lock.query(`lock table ${locked} in access exclusive mode`)
    const refused: Response[] = []
    const calls = Array.from({ length: most + 4 }, async () => {
      const response = await fetch(`${product.base}${path}`, { headers })
      if (response.status === 429) refused.push(response)
      return response.status
    })
    await eventually(
      async () => refused.length,
      (count) => count === 4,
    )
    expect(await answered()).toBeLessThan(2000)
    await lock.query('rollback')
    expect((await Promise.all(calls)).filter((status) => status === 200)).toHaveLength(most)
    expect(refused.map(({ headers: of }) => of.get('retry-after'))).toEqual(['5', '5', '5', '5'])
  } finally {
    await lock.query('rollback')
    lock.release()
  }
}

it('64 calls of a bidder at once are answered, and more get 429', () =>
  atOnce('/v1/delivery/audience-keys', 64, 'app.audience_keys'))

it('members of an audience are sent to a bidder eight times at once, and further downloads get 429', async () => {
  const { data } = await uploadAudience(product.base, ada, servedList(), { name: 'For a bidder' })
  await settledAudience(ada, data.id)
  await delivery.running({ targeting: { segment_audiences: { includeAny: [], include: [data.id], exclude: [] } } })
  const path = `/v1/delivery/audiences/${data.id}/1`
  await atOnce(path, 8, 'app.audience_sets')
})

it('an account may ask for 100 missing apps a day, however it asks', async () => {
  const campaign_id = await delivery.running({ budget: 100 })
  const { code } = await ada.call('POST', '/v1/audience/audience-resource', { name: 'An app', id: 'app' })
  expect(code).toBe(0)
  await product.database.pool.query(
    `insert into app.reservations (id, key, expires_at)
     select gen_random_uuid()::text, key, expires_at from app.reservations, generate_series(2, 100) where key = $1`,
    [`resource requests ${delivery.space}`],
  )
  const wanted = { campaign_id, name: 'An app' }
  expect((await ada.call('POST', '/v1/audience/audience-resource', { name: 'An app', id: 'app' })).status).toBe(429)
  expect((await ada.call('POST', '/v1/campaign/app/pending/resources', wanted)).status).toBe(429)
  expect((await bola.call('POST', '/v1/audience/audience-resource', { name: 'An app', id: 'app' })).code).toBe(0)
})

it('texts of users take the bytes of log of their own account', async () => {
  // Its own process: one that has reserved bytes for an account asks for no others before it has used them.
  const fresh = await startTestProduct()
  onTestFinished(() => fresh.stop())
  const [owner, other] = [await fresh.as('owner@dsp.example'), await fresh.as('bola@lagos.example')]
  const accountOf = async (one: Session) => (await one.call<{ space_id: string }>('GET', '/v1/user/me')).data.space_id
  const [house, space] = [await accountOf(owner), await accountOf(other)]
  await fresh.database.pool.query(
    `insert into app.reservations (id, key, expires_at)
     select gen_random_uuid()::text, $1, now() + interval '1 minute' from generate_series(1, 1024)`,
    [`log ${house}`],
  )
  const rename = (by: Session) => by.call('PUT', `/v1/space/${space}/name`, { name: 'Lagos Foods and Drinks' })
  const rules = { condition: 'and', rules: [{ field: 'event_total', operator: 'is', value: 'a' }] }
  const made = await owner.call('POST', '/v1/segment-audience/dynamic', { name: 'Any', rules })
  expect([(await rename(owner)).status, made.status]).toEqual([429, 429])
  expect((await rename(other)).status).toBe(200)
})

it('jobs that take long do not delay the stop of a campaign at its budget', async () => {
  const id = await delivery.running({ budget: 20 })
  const lock = await product.database.pool.connect()
  try {
    await lock.query('begin')
    await lock.query('lock table app.jobs, app.audience_uploads in access exclusive mode')
    // Their loops wait for the lock now.
    await delay(700)
    expect((await delivery.send(newId(), [{ hour: hour(), campaign_id: id, impressions: 9000, spent: 21 }])).code).toBe(0)
    await eventually(
      () => ada.call('GET', `/v1/campaign/${id}`),
      ({ data }) => [31, 42].includes(data.status_key),
    )
  } finally {
    await lock.query('rollback')
    lock.release()
  }
})

it('14,000 campaigns in one settlement of before, too large for the log, are settled by 500 charges', async () => {
  const { pool } = product.database
  await pool.query(
    `with b as (
       insert into app.delivery_batches (id, body_hash, rows, spent, overdelivered)
       select repeat('x', 70) || n, '', 1, 1, 0 from generate_series(1, 14000) n returning id
     ), s as (
       insert into app.settlements (space_id, number)
       select $1, coalesce(max(number), 0) + 1 from app.settlements where space_id = $1 returning number
     )
     insert into app.delivery_charges (batch_id, space_id, campaign_id, amount, hour, settlement)
     select id, $1, id, 1, date_trunc('hour', now()), number from b, s`,
    [lagos],
  )
  const open = async () =>
    (
      await pool.query<{ n: number }>(
        `select count(*)::int as n from app.delivery_charges c left join app.settlements s using (space_id)
         where c.space_id = $1 and (c.settlement is null or (s.number = c.settlement and not s.recorded))`,
        [lagos],
      )
    ).rows[0]?.n
  await eventually(open, (n) => n === 0, 100_000)
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from app.delivery_charges where space_id = $1 group by settlement`,
    [lagos],
  )
  expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 28 }, () => 500))
  const settled = await pool.query(
    `select sum((data ->> 'amount')::int)::int as n from es.events where stream_id like $1 and type = 'SpendSettled'`,
    [`ledger-${lagos}-%`],
  )
  expect(settled.rows[0].n).toBe(14_000)
})

it('an event of one account that cannot be applied stops the campaigns of that account, and no other account', async () => {
  const { pool } = product.database
  const id = await delivery.running({ budget: 100 })
  await pool.query(
    `insert into es.events (stream_id, version, event_id, type, schema_version, data, metadata)
     select stream_id, version + 1, gen_random_uuid(), 'FundsCredited', 1, '{"amount":9300000000000000000,"reason":"r"}', metadata
     from es.events where stream_id = $1 order by version desc limit 1`,
    [`account-${delivery.space}`],
  )
  await delivery.status(id, 44)
  const head = (await pool.query<{ position: string }>('select max(position)::text as position from es.events')).rows[0]?.position
  const read = await bola.call('GET', `/v1/space/balance/${lagos}`, undefined, { 'x-position': head ?? '' })
  expect(read.code).toBe(0)
  expect((await ready()).status).toBe('ok')
})
