import { ERASERS } from '#api/areas/index'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SecurityEvent } from '#commands/identity/forward-security-events'
import { createSecurityLog } from '#platform/identity/security-log'
import { erasePerson } from '#platform/identity/erasure'
import { createPeople } from '#platform/identity/people'
import { createKysely } from '#platform/database/pool'
import { newId } from '#platform/ids'
import { untilBlocked } from '../support/database.ts'
import { tablesWith } from '../support/database-search.ts'
import { eventually, PASSWORD, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

const PATH = '/v1/audit/security'
const EXCEL = '/v1/whitelabel/admin/accounts/excel'
const ANONYMOUS = { kind: 'anonymous' } as const

describe('the log of security events', () => {
  let demo: TestProduct
  let product: TestProduct
  let auditor: Session
  beforeAll(async () => {
    demo = await startTestProduct()
    // With the demo on, staff need no second factor (fine print 95).
    product = await startTestProduct({ DATABASE_URL: demo.database.url, PLACARD_TRUST_PROXY: '127.0.0.1' })
    await demo.database.pool.query('update identity.people set demo = false')
    auditor = await product.as('auditor@dsp.example')
  })
  afterAll(async () => {
    await product.stop()
    await demo.stop()
  })

  async function all(session = auditor): Promise<readonly SecurityEvent[]> {
    const events: SecurityEvent[] = []
    for (;;) {
      const { data } = await session.call<readonly SecurityEvent[]>('GET', `${PATH}?limit=1000&after=${events.at(-1)?.id ?? 0}`)
      if (data.length === 0) return events
      events.push(...data)
    }
  }
  const seen = (right: (event: SecurityEvent) => boolean) =>
    eventually(
      async () => (await all()).filter(right),
      (found) => found.length > 0,
    )
  const idOf = async (email: string) =>
    (await demo.database.pool.query<{ id: string }>('select id from identity.people where email = $1', [email])).rows[0]?.id
  const tryIn = (username: string, password: string, from: string) =>
    fetch(`${product.base}/v1/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ username, password }),
      headers: { 'x-forwarded-for': from },
    })

  it('the log of security events has no event of a scrape of the metrics that was refused', async () => {
    const from = { headers: { 'x-forwarded-for': '203.0.113.12' } }
    expect((await fetch(`${product.base}/metrics`, from)).status).toBe(403)
    // A later refusal of the same network is written after it.
    expect((await fetch(`${product.base}/v1/user/me`, from)).status).toBe(401)
    const routeOf = ({ details }: SecurityEvent) => (details as { readonly route?: string }).route
    await seen((event) => event.type === 'refused' && routeOf(event) === 'GET /v1/user/:id')
    expect((await all()).filter((event) => routeOf(event) === 'GET /metrics')).toEqual([])
  })

  // covers FP-52
  it('contains sign-ins with the network for auditors', async () => {
    await tryIn('bola@lagos.example', PASSWORD, '203.0.113.9')
    const bola = await idOf('bola@lagos.example')
    const [event] = await seen((one) => one.type === 'sign-in' && one.person_id === bola)
    expect(event).toMatchObject({ whitelabel_id: 'dsp', client_network: '203.0.113.0/24', count: 1 })
  })

  it('contains the end of the session that was used longest ago, which a sign-in beyond twenty ends', async () => {
    const bola = await idOf('bola@lagos.example')
    for (let i = 0; i < 21; i++) expect((await tryIn('bola@lagos.example', PASSWORD, '203.0.113.11')).status).toBe(200)
    const [event] = await seen((one) => one.type === 'session-ended' && one.person_id === bola)
    expect(event).toMatchObject({ client_network: '203.0.113.0/24', details: { reason: 'limit', count: 1 } })
  })

  it('the log of security events is read backwards from its end, page by page, with the names of people', async () => {
    await tryIn('bola@lagos.example', PASSWORD, '203.0.113.10')
    const bola = await idOf('bola@lagos.example')
    await seen(({ person_id: id }) => id === bola)
    const backwards: (SecurityEvent & { readonly person_name: string | null })[] = []
    for (;;) {
      const before = backwards.length === 0 ? '' : `&before=${backwards.at(-1)?.id}`
      const { data } = await auditor.call<typeof backwards>('GET', `${PATH}?order=desc&limit=2${before}`)
      if (data.length === 0) break
      backwards.push(...data)
    }
    const ids = backwards.map(({ id }) => id)
    expect(
      (await all())
        .map(({ id }) => id)
        .toReversed()
        .slice(-ids.length),
    ).toEqual(ids)
    expect(backwards.find(({ person_id: id }) => id === bola)?.person_name).toMatch(/^Bola /)
    expect((await auditor.call('GET', `${PATH}?order=desc&after=1`)).status).toBe(400)
    expect((await auditor.call('GET', `${PATH}?before=1`)).status).toBe(400)
  })

  // covers FP-52
  it('contains failed sign-ins with the id of a known address, and a hash of an unknown one', async () => {
    await tryIn('ada@nile.example', 'wrong', '198.18.0.1')
    await tryIn('stranger@elsewhere.example', 'wrong', '198.18.0.1')
    const ada = await idOf('ada@nile.example')
    const [known] = await seen((one) => one.type === 'sign-in-failed' && one.person_id === ada)
    expect(known).toMatchObject({ client_network: '198.18.0.0/24', details: {} })
    const [unknown] = await seen((one) => one.type === 'sign-in-failed' && one.person_id === null)
    expect(unknown?.details).toEqual({ address: expect.stringMatching(/^[\w-]{43}$/) })
    expect(await tablesWith(demo.database.pool, 'stranger@elsewhere')).toEqual([])
    expect(await tablesWith(demo.database.pool, '198.18.0')).toEqual([])
  })

  // covers FP-52
  it('contains refusals 401, 403 and 429 with call and user', async () => {
    const { call } = await product.as('moderator@dsp.example')
    await call('GET', '/v1/service-credential')
    await fetch(`${product.base}/v1/user/me`, { headers: { authorization: 'Bearer forged' } })
    for (let i = 0; i < 21; i++) await tryIn('limited@x.example', 'x', '192.0.2.1')
    const refusal = (status: number) =>
      seen((one) => one.type === 'refused' && (one.details as { status: number }).status === status)
    expect((await refusal(403))[0]).toMatchObject({
      person_id: await idOf('moderator@dsp.example'),
      details: { route: 'GET /v1/service-credential', status: 403 },
    })
    expect((await refusal(401))[0]).toMatchObject({ person_id: null, details: { route: 'GET /v1/user/:id' } })
    expect((await refusal(429))[0]).toMatchObject({ details: { route: 'POST /v1/oauth/token' } })
    expect(await tablesWith(demo.database.pool, 'forged')).toEqual([])
  })

  // covers FP-52
  it('contains switches of the account, and created and revoked credentials', async () => {
    const owner = await product.as('owner@dsp.example')
    const { data: ada } = await (await product.as('ada@nile.example')).call<{ space_id: string }>('GET', '/v1/user/me')
    await owner.call('POST', `/v1/user/account/switch/${ada.space_id}`)
    const expires_at = new Date(Date.now() + 86_400_000).toISOString()
    const { data: made } = await owner.call<{ id: string; secret: string }>('POST', '/v1/service-credential', {
      name: 'Bidder',
      kind: 'bidder',
      expires_at,
    })
    await owner.call('DELETE', `/v1/service-credential/${made.id}`)
    const person_id = await idOf('owner@dsp.example')
    const mine = (await all()).filter((one) => one.person_id === person_id && !['sign-in', 'refused'].includes(one.type))
    expect(mine).toMatchObject([
      { type: 'account-switched', details: { space: ada.space_id } },
      { type: 'credential-created', details: { credential: made.id, kind: 'bidder', exchange: null, expires_at } },
      { type: 'credential-revoked', details: { credential: made.id } },
    ])
  })

  // covers FP-52
  it('contains changed passwords and roles, by any writer', async () => {
    const id = await idOf('clerk@nile.example')
    await demo.database.pool.query(`update identity.people set password_hash = 'x', roles = '{AUDITOR}' where id = $1`, [id])
    const found = (await all()).filter((one) => one.person_id === id)
    expect(found.map(({ type, details }) => [type, details])).toEqual([
      ['password-changed', {}],
      ['roles-changed', { from: ['ACCOUNTANT'], to: ['AUDITOR'] }],
    ])
  })

  // covers FP-52
  it.each(['update app.security_events set count = 2', 'delete from app.security_events', 'truncate app.security_events'])(
    'the log of security events is append-only: %s',
    async (statement) => {
      await expect(demo.database.pool.query(statement)).rejects.toThrow(/append-only|permission denied/)
    },
  )

  it('contains changes of settings, exports, credits and suspensions, without their values', async () => {
    const owner = await product.as('owner@dsp.example')
    const space = (await demo.database.pool.query(`select home_space_id from identity.people where email = 'bola@lagos.example'`))
      .rows[0].home_space_id
    await owner.call('PUT', '/v1/whitelabel/dsp', { whitelabel_settings: { own_approval: false } })
    await fetch(`${product.base}${EXCEL}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      body: '{}',
    })
    await owner.call('POST', `/v1/space/${space}/credit`, { amount: 1, comment: 'A secret reason' })
    const events = (await all(owner)).filter(({ type }) => ['settings-changed', 'exported', 'credited'].includes(type))
    expect(events.map(({ type, details }) => [type, (details as { fields: string }).fields])).toEqual([
      ['settings-changed', 'whitelabel_settings.own_approval'],
      ['exported', ''],
      ['credited', 'amount, comment'],
    ])
    expect(JSON.stringify(events)).not.toContain('secret reason')
  })

  // covers FP-91
  it('contains why an owner acts in an account, where the white-label asks: without a reason nothing is switched', async () => {
    const owner = await product.as('owner@dsp.example')
    const { data: ada } = await (await product.as('ada@nile.example')).call<{ space_id: string }>('GET', '/v1/user/me')
    const { data: me } = await owner.call<{ whitelabel_id: string; space_id: string }>('GET', '/v1/user/me')
    const ask = (switch_reason_required: boolean) =>
      owner.call('PUT', `/v1/whitelabel/${me.whitelabel_id}`, { whitelabel_settings: { switch_reason_required } })
    const into = (space: string, body?: object) => owner.call('POST', `/v1/user/account/switch/${space}`, body)
    expect((await ask(true)).status).toBe(200)
    try {
      for (const body of [undefined, {}, { reason: '  ' }]) {
        const { status, code, data } = await into(ada.space_id, body)
        expect([status, code, data]).toEqual([400, 2, { errors: [expect.objectContaining({ path: 'reason' })] }])
      }
      expect((await into(ada.space_id, { reason: 'x'.repeat(301) })).status).toBe(400)
      expect((await into(ada.space_id, { reason: ' Ticket 4711 ' })).status).toBe(200)
      // The way home needs none.
      expect((await into(me.space_id)).status).toBe(200)
    } finally {
      await ask(false)
    }
    expect((await into(ada.space_id)).status).toBe(200)
    const switches = (await all()).filter(({ type }) => type === 'account-switched').slice(-3)
    expect(switches.map(({ details }) => details)).toEqual([
      { space: ada.space_id, reason: 'Ticket 4711' },
      { space: me.space_id },
      { space: ada.space_id },
    ])
  })

  it('shows an owner their white-label, and nothing of its system administrators', async () => {
    const [admin, adminId] = [await product.as('admin@dsp.example'), await idOf('admin@dsp.example')]
    await admin.call('GET', '/v1/user/me')
    const owner = await all(await product.as('owner@dsp.example'))
    expect(owner.length).toBeGreaterThan(0)
    expect([...new Set(owner.map(({ whitelabel_id }) => whitelabel_id))]).toEqual(['dsp'])
    expect((await all()).some(({ person_id }) => person_id === adminId)).toBe(true)
    expect(owner.some(({ person_id }) => person_id === adminId)).toBe(false)
  })

  it('refuses a position and a limit that it cannot read', async () => {
    for (const query of ['after=x', 'limit=1001']) expect((await auditor.call('GET', `${PATH}?${query}`)).code).toBe(2)
  })

  it('a reader misses no event that was being written', async () => {
    const insert = `insert into app.security_events (at, type, whitelabel_id, details, count) values (now(), $1, 'dsp', '{}', 1)`
    const writer = await demo.database.pool.connect()
    await writer.query('begin')
    await writer.query(insert, ['slow'])
    const quick = demo.database.pool.query(insert, ['quick'])
    await untilBlocked(demo.database.pool, quick)
    const early = (await all()).map(({ type }) => type)
    await writer.query('commit')
    writer.release()
    expect(early).not.toContain('quick')
    await quick
    const types = (await all()).map(({ type }) => type)
    expect(types.indexOf('slow')).toBeGreaterThan(-1)
    expect(types.indexOf('slow')).toBeLessThan(types.indexOf('quick'))
  })

  it('contains no personal data of an erased user', async () => {
    const db = createKysely(demo.database.pool)
    const id = newId()
    const email = 'zoe@nile.example'
    const names = { first_name: 'Zoe', last_name: 'Q', phone: null, password: PASSWORD }
    const home = { whitelabel_id: 'dsp', home_space_id: 'home', roles: ['USER_OWNER'] as const }
    await createPeople(db, { demo: false }).create({ id, email, ...names, ...home })
    await tryIn(email, 'wrong', '100.64.7.1')
    await tryIn(email, PASSWORD, '100.64.7.1')
    const before = await seen((one) => one.person_id === id && one.type === 'sign-in-failed')
    expect(before[0]?.client_network).toBe('100.64.7.0/24')
    await erasePerson(db, id, ERASERS)
    const after = (await all()).filter((one) => one.person_id === id)
    for (const { client_network } of after) expect(client_network ?? 'erased:').toMatch(/^erased:/)
    expect(await tablesWith(demo.database.pool, '100.64.7')).toEqual([])
    expect(await tablesWith(demo.database.pool, 'zoe@')).toEqual([])
  })

  it('contains the erasure of a user, for auditors and owners of their white-label, without personal data', async () => {
    const db = createKysely(demo.database.pool)
    const erased = async (whitelabel_id: string) => {
      const id = newId()
      const names = { first_name: 'Quillon', last_name: 'Zephyrine', phone: '+2348099911122', password: PASSWORD }
      const home = { whitelabel_id, home_space_id: 'home', roles: ['USER_OWNER'] as const }
      await createPeople(db, { demo: false }).create({ id, email: 'quillon@zephyrine.example', ...names, ...home })
      await erasePerson(db, id, ERASERS)
      return id
    }
    const [own, foreign] = [await erased('dsp'), await erased('ng')]
    const erasuresOf = (events: readonly SecurityEvent[], id: string) =>
      events.filter(({ type, person_id: of }) => type === 'person-erased' && of === id)
    const readers = [auditor, await product.as('owner@dsp.example'), await product.as('admin@dsp.example')]
    const [byAuditor = [], byOwner = [], byAdmin = []] = await Promise.all(readers.map((one) => all(one)))
    const event = {
      type: 'person-erased',
      whitelabel_id: 'dsp',
      person_id: own,
      client_network: null,
      details: { by: 'command line' },
      count: 1,
    }
    for (const events of [byAuditor, byOwner]) {
      expect(events.some(({ person_id: id }) => id === foreign)).toBe(false)
      expect(erasuresOf(events, own)).toMatchObject([event])
    }
    expect(erasuresOf(byAdmin, foreign)).toMatchObject([{ ...event, whitelabel_id: 'ng', person_id: foreign }])
    for (const text of ['quillon', 'zephyrine', '8099911122']) expect(JSON.stringify(byAdmin).toLowerCase()).not.toContain(text)
  })

  // covers FP-52
  it('stores many refusals as few rows with counts, and logs a line per row', async () => {
    const { pool } = demo.database
    const lines: object[] = []
    const errors: unknown[] = []
    const log = createSecurityLog({
      db: createKysely(pool),
      log: (line) => void lines.push(line),
      onError: (error) => void errors.push(error),
      now: () => new Date().toISOString(),
      fingerprint: (text) => `hash of ${text.length}`,
      seal: async () => null,
    })
    for (let i = 0; i < 5000; i++) log.refused(ANONYMOUS, 'flooded', '192.0.2.0/24', { route: 'GET /one', status: 401 })
    for (let i = 0; i < 5000; i++) log.refused(ANONYMOUS, 'flooded', `192.0.${i}.0/24`, { route: 'GET /many', status: 401 })
    await log.stop()
    const { rows } = await pool.query<{ rows: number; all: number }>(
      `select count(*)::int as rows, sum(count)::int as all from app.security_events where whitelabel_id = 'flooded'`,
    )
    expect(rows[0]?.all).toBe(10_000)
    expect(rows[0]?.rows).toBeLessThan(210)
    expect([lines.length, errors]).toEqual([rows[0]?.rows, []])
  })
})
