import { randomUUID } from 'node:crypto'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { audienceOf, settledAudience, uploadAudience } from '../support/audiences.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { nodeRuns, startProductProcess } from '../support/product-process.ts'
import { eventually, signIn } from '../support/product.ts'

/** More than a process has connections for its policies. */
const PENDING = 12
const MEMBERS = 256 * 120

let database: TestDatabase
let dataDir = ''
const running = new Set<ChildProcess>()
beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'placard-uploads-'))
})
afterAll(async () => {
  for (const child of running) await end(child, 'SIGKILL')
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

async function start() {
  const product = await startProductProcess(nodeRuns('api/main.ts'), dataDir, {
    DATABASE_URL: database.url,
    PLACARD_UNSAFE_DATABASE: 'on',
    PLACARD_DEMO: 'on',
  })
  running.add(product.child)
  return { ...product, ada: await signIn(product.base, 'ada@nile.example') }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  running.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const ended = once(child, 'exit')
  child.kill(signal)
  return (await ended)[0]
}

const query = async (text: string, values: readonly unknown[] = []) => (await database.pool.query(text, [...values])).rows
const countIn = async (state: string) =>
  (await query('select count(*)::int as n from app.audience_uploads where state = $1', [state]))[0].n

/** Merges at this moment. Locks on the members would not tell: the demo's dynamic audiences write members too. */
const merging = async (): Promise<number> =>
  (await query(`select count(*)::int as n from app.jobs where kind = 'audience-upload' and leased_until is not null`))[0].n

/** Uploads that a process received and did not merge; `id` is one whose account and author they get. */
async function addPending(id: string): Promise<void> {
  await query(
    `insert into app.audience_uploads (id, audience_id, space_id, whitelabel_id, state, context, name, rows, received_at)
     select 'pending ' || n, gen_random_uuid(), space_id, whitelabel_id, 'received',
            jsonb_set(context::jsonb, '{command_id}', to_jsonb(gen_random_uuid())), 'Pending ' || n, $2, now()
     from app.audience_uploads, generate_series(1, $3::int) as n where id = $1`,
    [id, MEMBERS, PENDING],
  )
  await query(
    `insert into app.jobs (kind, key, payload) select 'audience-upload', 'pending ' || n, '{"v": "1"}' from generate_series(1, $1::int) as n`,
    [PENDING],
  )
  await query(
    `insert into app.audience_parts (upload_id, part, bucket, members)
     select 'pending ' || n, 0, bucket,
            (select string_agg(set_byte(decode(md5(n || ' ' || bucket || ' ' || m), 'hex'), 0, bucket), '') from generate_series(1, 120) as m)
     from generate_series(1, $1::int) as n, generate_series(0, 255) as bucket`,
    [PENDING],
  )
}

/** The states that a crash leaves of three uploads: not merged, merged without its event, failed without its event. */
async function crashDuringUploads() {
  const { base, child, ada } = await start()
  const holding = await database.pool.connect()
  try {
    await holding.query('begin')
    await holding.query('lock table app.audience_sets in exclusive mode')
    const ids: string[] = []
    for (const name of ['Received', 'Merged', 'Failed'])
      ids.push((await uploadAudience(base, ada, `${randomUUID()}\n${randomUUID()}\n`, { name })).data.id)
    await end(child, 'SIGKILL')
    const [received, merged, failed] = ids as [string, string, string]
    return { received, merged, failed }
  } finally {
    await holding.query('rollback')
    holding.release()
  }
}

it('a restart with many pending uploads answers and stops at once, and finishes each of them, whatever a crash left of it', async () => {
  const { received, merged, failed } = await crashDuringUploads()
  await query(
    `insert into app.audience_sets (audience_id, version, space_id, whitelabel_id, members, etag)
     select audience_id, version, space_id, whitelabel_id, 2, 'x' from app.audience_uploads where audience_id = $1`,
    [merged],
  )
  await query(`update app.audience_uploads set state = 'stored' where audience_id = $1`, [merged])
  await query(`update app.audience_uploads set state = 'failed' where audience_id = $1`, [failed])
  await query(`delete from app.audience_parts where upload_id in (select id from app.audience_uploads where state <> 'received')`)
  await query(`update app.jobs set run_at = now(), leased_until = null where kind = 'audience-upload'`)
  await addPending((await query('select id from app.audience_uploads where audience_id = $1', [received]))[0].id)

  const first = await start()
  await eventually(
    () => countIn('received'),
    (n) => n < PENDING,
  )
  let merges = 0
  for (let n = 0; n < 10; n += 1) {
    const began = performance.now()
    const [list, ready] = await Promise.all([
      first.ada.call('POST', '/v1/segment-audience/list', {}),
      fetch(`${first.base}/health/ready`).then(async (response) => [response.status, (await response.json()).status]),
    ])
    expect([list.code, ...ready]).toEqual([0, 200, 'ok'])
    expect(performance.now() - began).toBeLessThan(2000)
    merges = Math.max(merges, await merging())
  }
  // Between two merges there is none.
  merges = Math.max(merges, await eventually(merging, (now) => now > 0))
  expect(merges).toBe(1)
  expect(await countIn('received')).toBeGreaterThan(0)
  const stopping = performance.now()
  expect(await end(first.child, 'SIGTERM')).toBe(0)
  expect(performance.now() - stopping).toBeLessThan(10_000)
  expect(await countIn('received')).toBeGreaterThan(0)

  // The merge under way was left, and is due at once.
  expect(await merging()).toBe(0)
  const { ada } = await start()
  await eventually(
    async () => (await countIn('received')) + (await countIn('stored')),
    (n) => n === 0,
    120_000,
  )
  expect(await settledAudience(ada, received)).toMatchObject({ status_key: 2, accepted: 2, matched: 2 })
  expect(await settledAudience(ada, merged)).toMatchObject({ status_key: 2, accepted: 2, matched: 2 })
  expect(await settledAudience(ada, failed)).toMatchObject({ status_key: 3, versions: [{ version: 1 }] })
  const sets = await query(
    `select u.rows, s.members, u.audience_id from app.audience_uploads u join app.audience_sets s using (audience_id, version)
     where u.id like 'pending %'`,
  )
  expect(sets.map(({ rows, members }) => [rows, members])).toEqual(Array.from({ length: PENDING }, () => [MEMBERS, MEMBERS]))
  expect(await audienceOf(ada, sets[0].audience_id)).toMatchObject({ status_key: 2, accepted: MEMBERS })
})
