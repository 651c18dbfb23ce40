import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMarkets } from '#api/simulator/markets'
import { createProductClient } from '#api/simulator/product-client'
import { simulate, type Round } from '#api/simulator/simulate'
import { drawsOf } from '#domain/delivery/auction'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createKysely } from '#platform/database/pool'
import { newId } from '#platform/ids'
import { verifyStream } from '#proof/verify'
import { verify } from '#projections/projector/verify'
import { READ_MODELS } from '#projections/read-models'
import { freePort } from '../support/ports.ts'
import { startTestClickHouse, type TestClickHouse } from '../support/clickhouse/clickhouse.ts'
import { runTool } from '../support/command-line.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { SERVICE, type Row } from '../support/delivery.ts'
import { nodeRuns, startProductProcess } from '../support/product-process.ts'
import { eventually, publishable, signIn, type Campaignish, type Session } from '../support/product.ts'

/** `npm run nightly` plays a whole day with 200 campaigns. */
const WHOLE = process.env['SIMULATED_DAY'] === 'whole'
/** `SIMULATED_FACTS=clickhouse` keeps the facts in ClickHouse. */
const ON_CLICKHOUSE = process.env['SIMULATED_FACTS'] === 'clickhouse'
const HOURS = WHOLE ? 24 : 2
const CAMPAIGNS = WHOLE ? 200 : 8
const SEED = process.env['PROPERTY_SEED'] ?? 'day'
/** Traffic in each hour, milliseconds. */
const PLAYED_MS = 2500
const HOUR_S = 3600
/** Units of the account's currency. */
const OPENING = WHOLE ? 60 : 10
/** Campaigns that outbid the others and reach their budgets; nobody pauses the first of them. */
const LEADERS = 4
/** Hours of the night and of the morning lie on both sides of some campaigns' midnight. */
const COUNTRIES = ['EG', 'NG', 'US', 'AM', 'IN']

/** Steps that a whole day has to go through to prove anything. */
const EVERYTHING = [
  'CampaignSwitchedOff',
  'CampaignSwitchedOn',
  'DayBudgetReached',
  'DayBudgetReopened',
  'FundingFellShort',
  'FundingRestored',
  'SpendSettled',
  'TotalBudgetSpent',
]

type Listed = { readonly id: string; readonly spent: number; readonly impressions: number; readonly budget_spent: number }

/**
 * Processes of each role through the hours of a day: each hour all of them restart with their clock an hour later, the projector is
 * killed while traffic arrives, and people pause, run and credit. In the end every figure of the product is the same.
 */
describe('a day of simulated traffic', () => {
  const draw = drawsOf(SEED)
  const living = new Map<string, ChildProcess>()
  const campaigns: { readonly id: string; readonly budget: number; readonly type: number }[] = []
  const rounds: Round[] = []
  let content: Row | null = null
  let credited = 0
  let database: TestDatabase
  let clickhouse: TestClickHouse | null = null
  let factsUrl = ''
  let dataDir = ''
  let base = ''
  let port = 0
  let hour = 0
  let ada: Session
  let owner: Session
  let space = ''

  const start = async (role: string) => {
    const { child } = await startProductProcess(nodeRuns('api/main.ts'), dataDir, {
      DATABASE_URL: database.url,
      PLACARD_ROLE: role,
      PLACARD_UNSAFE_DATABASE: 'on',
      PLACARD_EXCHANGE_REVIEW: 'external',
      PLACARD_SERVICE_TOKEN: SERVICE,
      PLACARD_SETTLE_SECONDS: '1',
      PLACARD_DEMO: role === 'api' ? 'on' : 'off',
      PLACARD_CLOCK_OFFSET: String(hour * HOUR_S),
      // The other roles listen too, for their health.
      PORT: role === 'api' ? String(port) : '0',
      ...(clickhouse === null ? {} : { FACTS_URL: factsUrl }),
    })
    living.set(role, child)
  }
  const stop = async (role: string, signal: NodeJS.Signals) => {
    const child = living.get(role)
    living.delete(role)
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  /** Everything restarts; half of the time without a chance to finish. */
  async function restart(): Promise<void> {
    await Promise.all([...living.keys()].map((role) => stop(role, draw() < 0.5 ? 'SIGKILL' : 'SIGTERM')))
    await Promise.all(['api', 'projector', 'policies'].map(start))
    ada = await signIn(base, 'ada@nile.example')
    owner = await signIn(base, 'owner@dsp.example')
  }

  async function credit(amount: number): Promise<void> {
    const { code } = await owner.call('POST', `/v1/space/${space}/credit`, { amount, comment: 'Simulated' })
    if (code === 0) credited += amount
  }

  async function publish(n: number): Promise<void> {
    const moderator = await signIn(base, 'moderator@dsp.example')
    const type = n % 4 === 0 ? 1 : 2
    const budget = n % 50 < LEADERS ? 2 : 1
    const fields = {
      name: `Day ${n} ${newId()}`,
      budget,
      budget_type_key: type,
      manual_cpx: true,
      user_cpx: budget,
    }
    // One picture for all: uploads are limited.
    content ??= await publishable(base, ada)
    const country = COUNTRIES[n % COUNTRIES.length]
    const made = await ada.call('POST', '/v1/campaign/saveAndPublish', { ...content, ...fields, country })
    expect([made.code, made.data.errors]).toEqual([0, undefined])
    const { data } = await ada.call<Campaignish>('GET', `/v1/campaign/${made.data.id}`)
    const approval = { campaign_id: made.data.id, moderation_start_at: data.moderation_start_at }
    expect((await moderator.call('POST', '/v1/whitelabel/admin/campaign/approve', approval)).code).toBe(0)
    campaigns.push({ id: made.data.id, budget, type })
  }

  /** People pause, run, and credit while traffic arrives. */
  async function meddle(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const one = campaigns[LEADERS + Math.floor(draw() * (campaigns.length - LEADERS))]
      const chance = draw()
      if (chance < 0.4 && one !== undefined) await ada.call('POST', '/v1/campaign/pause', one.id)
      else if (chance < 0.85 && one !== undefined) await ada.call('POST', '/v1/campaign/run', one.id)
      else await credit(Math.ceil(draw() * (WHOLE ? 30 : 4)))
      await delay(120)
    }
  }

  async function play(): Promise<void> {
    const leaving = new AbortController()
    const meddling = meddle(leaving.signal)
    const playing = simulate({
      client: createProductClient(base, SERVICE, new AbortController().signal),
      marketOf: createMarkets({ cities: async () => null, apps: [] }),
      seed: `${SEED} ${hour}`,
      rate: 4000,
      speed: 1,
      everyMs: 500,
      forMs: PLAYED_MS,
      playsExchanges: true,
      run: newId(),
      signal: new AbortController().signal,
      report: (round) => rounds.push(round),
    })
    await delay(PLAYED_MS / 3)
    await stop('projector', 'SIGKILL')
    await start('projector')
    await playing
    leaving.abort()
    await meddling
  }

  beforeAll(async () => {
    database = await createTestDatabase()
    dataDir = await mkdtemp(join(tmpdir(), 'placard-day-'))
    if (ON_CLICKHOUSE) {
      clickhouse = await startTestClickHouse()
      factsUrl = await clickhouse.create()
    }
    port = await freePort()
    base = `http://127.0.0.1:${port}`
    await restart()
    space = (await ada.call<{ space_id: string }>('GET', '/v1/user/me')).data.space_id
    const { balance } = (await owner.call<{ balance: number }>('GET', `/v1/space/balance/${space}`)).data
    await credit(OPENING - balance)
    credited = OPENING
    // Campaigns of the demo would share the account's money.
    for (const { id } of await listed()) await ada.call('POST', '/v1/campaign/pause', id)
    for (let n = 0; n < CAMPAIGNS; n++) await publish(n)
  }, 300_000)
  afterAll(async () => {
    for (const role of living.keys()) await stop(role, 'SIGTERM')
    await clickhouse?.stop()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('ends with equal figures everywhere, charges within every budget, and a valid log', async () => {
    for (; hour < HOURS; hour++) {
      if (hour > 0) await restart()
      await play()
    }
    await restart()
    const impressions = rounds.reduce((sum, round) => sum + round.impressions, 0)

    // The ledger has settled every charge.
    const open = async () => {
      const { rows } = await database.pool.query<{ n: number }>(
        'select count(*)::int as n from app.delivery_charges where settlement is null',
      )
      return rows[0]?.n
    }
    await eventually(open, (n) => n === 0)
    const list = await listed()
    const wholeDay = { from_date: Date.now() - 2 * 86_400_000, to_date: Date.now() + 2 * 86_400_000 }
    let spent = 0
    let seen = 0
    for (const { id, budget, type } of campaigns) {
      const total = (await ada.call<Row>('GET', `/v1/campaign/${id}/total`)).data
      const report = await ada.call<{ totals: Row }>('POST', '/v1/campaign/report', {
        id,
        ...wholeDay,
        granularity_type_key: 2,
        included_metrics: ['impressions', 'spent'],
      })
      const row = list.find((one) => one.id === id)
      const { rows } = await database.pool.query<{ day: string; billed: string }>(
        'select day::text, billed from app.campaign_spend where campaign_id = $1',
        [id],
      )
      const billed = rows.map((one) => Number(one.billed) / 1e6)
      const sum = billed.reduce((all, amount) => all + amount, 0)
      expect({
        card: total['current_period_spent'],
        report: report.data.totals['spent'],
        list: row?.budget_spent,
        impressions: total['current_period_impressions'],
      }).toEqual({
        card: expect.closeTo(sum, 6),
        report: expect.closeTo(sum, 6),
        list: expect.closeTo(sum, 6),
        impressions: report.data.totals['impressions'],
      })
      if (type === 1) expect(sum).toBeLessThanOrEqual(budget + 1e-9)
      else for (const day of billed) expect(day).toBeLessThanOrEqual(budget + 1e-9)
      spent += sum
      seen += Number(total['current_period_impressions'])
    }
    const admin = await signIn(base, 'admin@dsp.example')
    const everything = { ...wholeDay, included_metrics: ['impressions'] }
    const all = await admin.call<{ totals: Row }>('POST', '/v1/reports/total', everything)
    expect(all.data.totals['impressions']).toBe(impressions)
    expect(seen).toBeGreaterThan(CAMPAIGNS * HOURS)

    const funds = (await owner.call<{ balance: number }>('GET', `/v1/space/balance/${space}`)).data
    expect(funds.balance).toBeCloseTo(credited - spent, 4)
    const account = await ada.call<{ totals: Row }>('POST', '/v1/reports/total', {
      ...wholeDay,
      included_metrics: ['impressions', 'spent'],
    })
    expect(account.data.totals['spent']).toBeCloseTo(spent, 4)
    const csv = await csvOf()
    expect(csv).toEqual({ impressions: seen, spent: expect.closeTo(spent, 2) })
    const { rows: happened } = await database.pool.query<{ type: string }>('select distinct type from es.events')
    expect(happened.map(({ type }) => type)).toEqual(expect.arrayContaining(WHOLE ? EVERYTHING : ['SpendSettled']))
    await expectValidLog()
  }, 900_000)

  /** Every campaign of the account, with its figures of all time. */
  async function listed(): Promise<readonly Listed[]> {
    const rows: Listed[] = []
    for (let page = 0; ; page++) {
      const body = { pageSize: 150, page, start_date: null, end_date: null, space_id: space }
      const { data } = await ada.call<{ total_size: number; data: readonly Listed[] }>('POST', '/v1/campaign/list/v2', body)
      rows.push(...data.data)
      if (rows.length >= data.total_size) return rows
    }
  }

  /** Sums over the file of the account's campaigns. */
  async function csvOf() {
    const response = await fetch(`${base}/v1/campaign/report/download/account-report`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ space_id: space }),
    })
    const [header = '', ...lines] = (await response.text())
      .replace(/^\uFEFF/, '')
      .trim()
      .split(/\r?\n/)
    const at = (name: string) => header.split(',').indexOf(name)
    const sum = (name: string) => lines.reduce((all, line) => all + Number(line.split(',')[at(name)]), 0)
    return { impressions: sum('Impressions'), spent: sum('Spent') }
  }

  async function expectValidLog(): Promise<void> {
    const store = createPostgresEventStore({ pool: database.pool, url: database.url })
    try {
      const { rows: streams } = await database.pool.query<{ stream_id: string }>('select distinct stream_id from es.events')
      for (const { stream_id: stream } of streams)
        expect([stream, verifyStream(stream, await store.readStream(stream)).faults]).toEqual([stream, []])
      const db = createKysely(database.pool)
      for (const model of READ_MODELS)
        expect({ model: model.name, ...(await verify(db, store, model)) }).toMatchObject({ differences: [] })
      const audit = await runTool('api/cli/audit.ts', ['verify', campaigns[0]?.id ?? ''], database.url)
      expect(audit.code).toBe(0)
    } finally {
      await store.close()
    }
  }
})
