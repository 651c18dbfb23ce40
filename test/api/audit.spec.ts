import type { CampaignPort } from '#commands/campaign/campaign-port'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ReadModelsBehind } from '#projections/catch-up'
import { createAuditCalls } from '#api/areas/audit/audit-calls'
import type { Caller } from '#api/http/caller'
import { createPlaces } from '#commands/campaign/places'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import type { EventStore } from '#eventstore/event-store'
import { createKysely } from '#platform/database/pool'
import { ensureLive } from '#projections/projector/generations'
import { READ_MODELS } from '#projections/read-models'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { columnsOf, otherValue } from '../support/tamper.ts'
import { publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Verified = { readonly valid: boolean; readonly events: number; readonly faults: readonly string[] }
type Deps = Parameters<typeof createAuditCalls>[0]
type At = {
  readonly at: string
  readonly status_key: number
  readonly status_reasons: readonly { readonly key: string }[]
}

const WHOLE_DAY = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))
const DAY_MS = 86_400_000

describe('the audit API', () => {
  let product: TestProduct
  let ada: Session
  let owner: Session
  let auditor: Session
  let moderator: Session
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_EXCHANGE_REVIEW: 'external' })
    ;[ada, owner, auditor, moderator] = (await Promise.all(
      ['ada@nile', 'owner@dsp', 'auditor@dsp', 'moderator@dsp'].map((name) => product.as(`${name}.example`)),
    )) as [Session, Session, Session, Session]
  })
  afterAll(() => product.stop())

  const saved = async () => {
    const { data } = await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))
    await ada.call('PUT', '/v1/campaign', { id: data.id, budget: 61 })
    await ada.call('GET', `/v1/campaign/${data.id}`)
    return data.id
  }
  it('names who had set a field at a past revision, and not who changed it since', async () => {
    const id = await saved()
    await owner.call('PUT', '/v1/campaign', { id, budget: 62 })
    type Blame = { readonly path: string; readonly value: unknown; readonly revision: number; readonly actor: string }
    const blame = async (query: string) => {
      const { data } = await auditor.call<readonly Blame[]>('GET', `/v1/campaign/${id}/blame${query}`)
      const { value, revision, actor } = data.find(({ path }) => path === 'budget') as Blame
      return { value, revision, actor }
    }
    const [now, then] = [await blame(''), await blame('?revision=2')]
    expect([now.value, now.revision]).toEqual([62, 3])
    expect([then.value, then.revision]).toEqual([61, 2])
    expect(now.actor).not.toBe(then.actor)
    expect(await blame('?revision=3')).toEqual(now)
    expect((await auditor.call('GET', `/v1/campaign/${id}/blame?revision=0`)).status).toBe(400)
  })

  const verified = async (id: string) => auditor.call<Verified>('GET', `/v1/campaign/${id}/verify`)
  /** Requires a superuser of the database. */
  async function tampered(statement: string, id: string): Promise<void> {
    await product.database.pool.query('alter table es.events disable trigger user')
    await product.database.pool.query(statement, [`campaign-${id}`])
    await product.database.pool.query('alter table es.events enable trigger user')
  }

  /** Calls verify in the process itself, with empty caches. */
  async function verifiedUncached(id: string, over: Partial<Deps> = {}): Promise<Verified> {
    const store = createPostgresEventStore(product.database)
    const db = createKysely(product.database.pool)
    const calls = createAuditCalls({
      db,
      store,
      campaigns: { placeOf: createPlaces(store) },
      guards: { reached: async () => true },
      ...over,
    } as Deps)
    const actor = { userId: 'u', roles: ['SYSTEM_ADMIN'], whitelabelId: 'w', homeSpaceId: 's', spaceId: 's' }
    try {
      return await calls.verify({ actor } as unknown as Caller, id)
    } finally {
      await store.close()
    }
  }

  // covers FP-15
  it('reports the schedule of the requested instant', async () => {
    const today = new Date().getUTCDay()
    const open = new Set([today + 6, today, today + 1].map((day) => day % 7))
    const scheduling = Object.fromEntries(Array.from({ length: 7 }, (_, day) => [String(day), open.has(day) ? WHOLE_DAY : []]))
    const body = await publishable(product.base, ada, { freq_and_scheduling_on: true, scheduling })
    const { data } = await ada.call('POST', '/v1/campaign/saveAndPublish', body)
    const verdict = { campaign_id: data.id, moderation_start_at: data.moderation_start_at, exchange_id: ['google'] }
    await moderator.call('POST', '/v1/whitelabel/admin/campaign/approve', verdict)
    const cleared = { status: 'approved' }
    const decision = { dealsPolicyCompliance: cleared, networkPolicyCompliance: cleared, platformPolicyCompliance: cleared }
    await owner.call('POST', '/v1/exchange/google/decisions', { decisions: [{ campaign_id: data.id, ...decision }] })
    const at = async (days: number) => {
      const time = new Date(Date.now() + days * DAY_MS).toISOString()
      const answer = await auditor.call<At>('GET', `/v1/campaign/${data.id}/at?time=${time}`)
      expect(answer.data.status_key).toBe(3)
      return answer.data.status_reasons.map(({ key }) => key)
    }
    expect(await at(0)).not.toContain('outside_schedule')
    expect(await at(3)).toContain('outside_schedule')
    expect(await at(7)).not.toContain('outside_schedule')
  })

  it.each([
    ['type', `update es.events set type = 'CampaignForgotten' where stream_id = $1 and version = 2`],
    ['data', `update es.events set data = '{"changes":7}' where stream_id = $1 and version = 2`],
    ['schema version', `update es.events set schema_version = 9 where stream_id = $1 and version = 1`],
  ])('names the event whose %s was altered', async (_, statement) => {
    const id = await saved()
    await tampered(statement, id)
    const { status, data } = await verified(id)
    expect([status, data.valid, data.events]).toEqual([200, false, 2])
    expect(data.faults).toContainEqual(expect.stringMatching(/^version [12] is not what was written$/))
    expect(data.faults).toContainEqual(expect.stringMatching(/^version [12] cannot be read/))
  })

  it('detects a campaign that was removed from the log but not from the read models', async () => {
    const id = await saved()
    await tampered('delete from es.events where stream_id = $1', id)
    const answer = await verifiedUncached(id)
    expect([answer.valid, answer.events]).toEqual([false, 0])
    expect(answer.faults).toContainEqual('campaign-list stands at revision 2, the log at 0')
    expect((await verified('00000000-0000-7000-8000-000000000000')).status).toBe(404)
  })

  it('detects a truncated log', async () => {
    const id = await saved()
    await tampered('delete from es.events where stream_id = $1 and version = 2', id)
    const { data } = await verified(id)
    expect([data.valid, data.events]).toEqual([false, 1])
    expect(data.faults).toContainEqual(expect.stringContaining('campaign-list stands at revision 2, the log at 1'))
  })

  describe('a read model that differs from the log', () => {
    const restoring = async (table: string, where: string, id: string, work: () => Promise<void>): Promise<void> => {
      const { pool } = product.database
      const { rows } = await pool.query<{ row: object }>(`select to_jsonb(t) as row from ${table} t where ${where}`, [id])
      await work()
      await pool.query(`delete from ${table} where ${where}`, [id])
      const names = (await columnsOf(product.database, `${table}__g1`)).map(({ name }) => name).join(', ')
      for (const { row } of rows) {
        await pool.query(`insert into ${table} (${names}) select ${names} from jsonb_populate_record(null::${table}, $1)`, [
          JSON.stringify(row),
        ])
      }
      expect((await verified(id)).data.faults).toEqual([])
    }

    it.each([
      ['campaign-list', 'rm_campaign_list', 'id'],
      ['campaign-list', 'rm_campaign_states', 'id'],
      ['campaign-revisions', 'rm_campaign_revisions', 'campaign_id'],
    ])(
      'a read model that differs from the log is named with its column, for every column of %s in %s',
      async (model, table, key) => {
        const id = await saved()
        const { pool } = product.database
        const unseen: string[] = []
        for (const column of await columnsOf(product.database, `${table}__g1`)) {
          const { name } = column
          if (name === key || (table === 'rm_campaign_states' && name === 'version')) continue
          await restoring(table, `${key} = $1`, id, async () => {
            const first = table === 'rm_campaign_revisions' ? ` and revision = ${name === 'revision' ? 2 : 1}` : ''
            expect(
              (await pool.query(`update ${table} set ${name} = ${otherValue(column)} where ${key} = $1${first}`, [id])).rowCount,
            ).toBe(1)
            const { valid, faults } = (await verified(id)).data
            if (valid || !faults.every((fault) => fault.startsWith(model))) unseen.push(`${name}: ${faults.join()}`)
          })
        }
        expect(unseen).toEqual([])
      },
    )

    it('a read model that differs from the log is named by a wrong status, a removed revision and an added one', async () => {
      const id = await saved()
      const { pool } = product.database
      await restoring('rm_campaign_list', 'id = $1', id, async () => {
        await pool.query('update rm_campaign_list set status_key = 3 where id = $1', [id])
        expect((await verified(id)).data.faults).toEqual(['campaign-list says status 3 at revision 2, the log 0 at 2'])
        await pool.query('delete from rm_campaign_list where id = $1', [id])
        expect((await verified(id)).data.faults).toEqual(['campaign-list has no row for this campaign'])
      })
      await restoring('rm_campaign_revisions', 'campaign_id = $1', id, async () => {
        await pool.query('delete from rm_campaign_revisions where campaign_id = $1 and revision = 1', [id])
        expect((await verified(id)).data.faults).toEqual(['campaign-revisions has 1 entries, the log 2 revisions'])
        await pool.query('update rm_campaign_revisions set revision = 7 where campaign_id = $1', [id])
        const copy = `select (jsonb_populate_record(r, '{"revision": 8}')).* from rm_campaign_revisions r where campaign_id = $1`
        await pool.query(`insert into rm_campaign_revisions ${copy}`, [id])
        expect((await verified(id)).data.faults).toContain('campaign-revisions has an entry for revision 7, the log has none')
      })
    })
  })

  it('reports no fault for a campaign that is saved during the verification', async () => {
    const id = await saved()
    const store = createPostgresEventStore(product.database)
    let budget = 70
    /** Saves right after the log was read; the read models include the save at once. */
    const readStream: EventStore['readStream'] = async (stream, ...rest) => {
      const events = await store.readStream(stream, ...rest)
      if (budget === 70) {
        budget += 1
        await ada.call('PUT', '/v1/campaign', { id, budget })
        await ada.call('GET', `/v1/campaign/${id}`)
      }
      return events
    }
    const place = { spaceId: 's', whitelabelId: 'w' }
    const answer = await verifiedUncached(id, {
      store: { ...store, readStream },
      campaigns: { placeOf: async () => place, port: {} as CampaignPort },
    })
    expect(budget).toBe(71)
    expect(answer).toMatchObject({ valid: true, faults: [] })
    await store.close()
  })

  describe('audits with read models behind the log', () => {
    let empty: TestDatabase
    let behind: Partial<Deps>
    beforeAll(async () => {
      empty = await createTestDatabase()
      const db = createKysely(empty.pool)
      for (const model of READ_MODELS) await ensureLive(db, model)
      behind = { db, guards: { reached: async () => false } as unknown as Deps['guards'] }
    })
    afterAll(() => empty.drop())

    it('answers that the client should retry, and reports no fault', async () => {
      await expect(verifiedUncached(await saved(), behind)).rejects.toThrow(ReadModelsBehind)
    })

    it('reports the faults of the log alone', async () => {
      const id = await saved()
      await tampered(`update es.events set data = replace(data::text, '61', '16')::json where stream_id = $1 and version = 2`, id)
      expect(await verifiedUncached(id, behind)).toMatchObject({ valid: false, faults: ['version 2 is not what was written'] })
    })
  })

  it('waits for read models that do not include a save yet', async () => {
    for (const end = Date.now() + 1500; Date.now() < end;) {
      const id = await saved()
      await ada.call('PUT', '/v1/campaign', { id, budget: 62 })
      const { data } = await auditor.call<Verified>('GET', `/v1/campaign/${id}/verify`, undefined, { 'x-position': '0' })
      expect(data).toMatchObject({ valid: true, faults: [] })
    }
  })
})
