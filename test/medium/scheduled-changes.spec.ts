import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MOST_OF_CAMPAIGN } from '#domain/schedule/scheduled-change'
import { createKysely } from '#platform/database/pool'
import { createScheduledChanges } from '#platform/schedule/scheduled-changes'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { nodeRuns, startProductProcess } from '../support/product-process.ts'
import { eventually, publishable, signIn } from '../support/product.ts'

type Row = { readonly state: string; readonly revision: number | null }

let database: TestDatabase
let dataDir = ''
const running = new Set<ChildProcess>()

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'placard-schedule-'))
})
afterAll(async () => {
  for (const child of running) await end(child, 'SIGKILL')
  await database.drop()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
})

async function start() {
  const product = await startProductProcess(nodeRuns('api/main.ts'), dataDir, {
    DATABASE_URL: database.url,
    PLACARD_UNSAFE_DATABASE: 'on',
    PLACARD_DEMO: 'on',
    PLACARD_DEMO_DELIVERY: 'off',
  })
  running.add(product.child)
  return product
}
async function end(child: ChildProcess, signal: NodeJS.Signals) {
  running.delete(child)
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
const query = async <T extends object>(text: string, values: readonly unknown[] = []): Promise<readonly T[]> =>
  (await database.pool.query<T>(text, [...values])).rows

it('a process that is killed between the campaign’s commit and its record changes the campaign once', async () => {
  const first = await start()
  const ada = await signIn(first.base, 'ada@nile.example')
  const made = await ada.call('POST', '/v1/campaign', await publishable(first.base, ada, { budget: 50 }))
  const { id } = made.data
  const body = { changes: [{ act: 'save', fields: { budget: 77 }, due_at: new Date(Date.now() + 3_600_000).toISOString() }] }
  const { data } = await ada.call<{ readonly ids: readonly string[] }>('POST', `/v1/campaign/${id}/schedule`, body)
  const [change = ''] = data.ids
  // The record waits, so that the kill falls between the two.
  await query(`
    create function app.hold_the_record() returns trigger language plpgsql as $$
    begin if new.state = 'done' then perform pg_sleep(60); end if; return new; end $$`)
  await query(
    'create trigger hold_the_record before update on app.scheduled_changes for each row execute function app.hold_the_record()',
  )
  await query(`update app.scheduled_changes set due_at = now() where id = $1`, [change])
  const revision = async () => (await ada.call('GET', `/v1/campaign/${id}`)).data.revision
  await eventually(revision, (now) => now > made.data.revision)
  // By hand, meanwhile: a second time would take it back.
  expect((await ada.call('PUT', '/v1/campaign', { id, budget: 88 })).code).toBe(0)
  await end(first.child, 'SIGKILL')
  await query(
    `select pg_terminate_backend(pid) from pg_stat_activity where query like '%scheduled_changes%' and pid <> pg_backend_pid()`,
  )
  await query('drop trigger hold_the_record on app.scheduled_changes')
  const stored = async () => (await query<Row>('select state, revision from app.scheduled_changes where id = $1', [change]))[0]
  expect(await stored()).toEqual({ state: 'under_way', revision: null })

  const second = await start()
  const recorded = await eventually(stored, (row) => row?.state === 'done')
  const again = await signIn(second.base, 'ada@nile.example')
  const { data: campaign } = await again.call('GET', `/v1/campaign/${id}`)
  expect(campaign).toMatchObject({ budget: 88, revision: made.data.revision + 2 })
  expect(recorded?.revision).toBe(made.data.revision + 1)
  await end(second.child, 'SIGTERM')
})

it('a change that is due is carried out or cancelled, never both, when two processes take it at once', async () => {
  const now = () => '2026-06-01T12:00:00.000Z'
  const changes = createScheduledChanges(createKysely(database.pool), now)
  const port = changes.port(async () => undefined)
  const [person] = await query<{ readonly id: string }>(`select id from identity.people where email = 'ada@nile.example'`)
  const personId = person?.id ?? ''
  const place = { personId, spaceId: 'raced', whitelabelId: 'dsp', campaignId: 'raced', groupId: null, note: '' }
  for (let n = 0; n < 20; n++) {
    const id = `raced-${n}`
    await changes.add({ ...place, changes: [{ id, act: { kind: 'pause' }, dueAt: '2026-06-01T11:00:00.000Z' }] })
    const [began, again, refusal] = await Promise.all([
      port.begin(id, 1, now()),
      port.begin(id, 1, now()),
      changes.change(id, { type: 'Cancel' }, personId),
    ])
    expect([began, again, refusal === null].filter(Boolean)).toHaveLength(1)
    await query('delete from app.scheduled_changes where id = $1', [id])
  }
})

it('a campaign keeps within its number of waiting changes when ten processes add the last ones at once', async () => {
  const changes = createScheduledChanges(createKysely(database.pool), () => '2026-06-01T12:00:00.000Z')
  const [person] = await query<{ readonly id: string }>(`select id from identity.people where email = 'ada@nile.example'`)
  const place = { personId: person?.id ?? '', spaceId: 'full', whitelabelId: 'dsp', groupId: null, note: '' }
  const add = (campaignId: string, id: string) =>
    changes.add({ ...place, campaignId, changes: [{ id, act: { kind: 'pause' }, dueAt: '2026-06-02T11:00:00.000Z' }] })
  for (let round = 0; round < 5; round++) {
    const campaignId = `full-${round}`
    for (let n = 2; n < MOST_OF_CAMPAIGN; n++) await add(campaignId, `${campaignId}-${n}`)
    const added = await Promise.all(Array.from({ length: 10 }, (_, n) => add(campaignId, `${campaignId}-last-${n}`)))
    expect(added.filter(({ kind }) => kind === 'added')).toHaveLength(2)
  }
})
