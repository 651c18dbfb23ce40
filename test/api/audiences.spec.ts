import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAudienceStores } from '#platform/audience/audience-stores'
import { createKysely } from '#platform/database/pool'
import type { AudienceDetails, AudienceItem } from '#contract/audiences'
import { audienceOf, servedList, settledAudience, uploadAudience } from '../support/audiences.ts'
import { eventually, publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Page = { readonly total_size: number; readonly data: readonly AudienceItem[] }

let product: TestProduct
let ada: Session
let bola: Session
let owner: Session
let admin: Session
let nile = ''
let lagos = ''
let made = 0
beforeAll(async () => {
  product = await startTestProduct({ PLACARD_EXCHANGE_REVIEW: 'external' })
  ;[ada, bola, owner, admin] = (await Promise.all(
    ['ada@nile.example', 'bola@lagos.example', 'owner@dsp.example', 'admin@dsp.example'].map((email) => product.as(email)),
  )) as [Session, Session, Session, Session]
  nile = (await me(ada)).space_id
  lagos = (await me(bola)).space_id
})
afterAll(() => product.stop())

const me = async (by: Session) => (await by.call<{ id: string; space_id: string }>('GET', '/v1/user/me')).data
const named = (prefix = 'Audience') => `${prefix} ${(made += 1)}`
const upload = (content: string | Uint8Array, fields: Readonly<Record<string, string>> = { name: named() }, by = ada) =>
  uploadAudience(product.base, by, content, fields)
const listed = async (by: Session, body: object = {}) => (await by.call<Page>('POST', '/v1/segment-audience/list', body)).data
const stored = async (table: string, where = 'true') =>
  Number((await product.database.pool.query(`select count(*) as n from app.${table} where ${where}`)).rows[0].n)
const device = () => randomUUID()

/** An audience that is ready. */
async function ready(content: string, name = named(), by = ada): Promise<AudienceDetails> {
  const { code, data } = await upload(content, { name }, by)
  expect(code).toBe(0)
  return settledAudience(by, data.id)
}

describe('a static audience', () => {
  // covers AUD-07 AUD-08 AUD-15 AUD-18 FP-62
  it('a static audience is made from device ids and full phone numbers, is processed, and then ready', async () => {
    const name = named()
    const { code, data } = await upload(`id\n${device()}\n${device()}\n2348031234567\n`, { name, user: '' })
    expect([code, data.status_key, typeof data.id]).toEqual([0, 1, 'string'])
    const found = await settledAudience(ada, data.id)
    expect(found).toMatchObject({ name, type: 'static', status_key: 2, version: 1, space_id: nile })
    expect([found.row_count, found.accepted, found.rejected, found.duplicates, found.matched]).toEqual([3, 3, 0, 0, 3])
    expect((await listed(ada)).data).toContainEqual(expect.objectContaining({ id: data.id, name, row_count: 3 }))
  })

  it('gives the reasons of rejected and repeated rows as CSV without their text', async () => {
    const one = device()
    const found = await ready(['phone', '+2348031234567', one, one.toUpperCase(), 'x'].join('\n'))
    expect([found.row_count, found.accepted, found.rejected, found.duplicates]).toEqual([4, 1, 2, 1])
    const csv = await fetch(`${product.base}/v1/segment-audience/${found.id}/rejected/1`, {
      headers: { authorization: `Bearer ${ada.token}` },
    })
    expect(csv.headers.get('content-type')).toContain('text/csv')
    expect(await csv.text()).toBe('row,reason\r\n2,prefix\r\n5,format\r\n')
    expect((await ada.call('GET', `/v1/segment-audience/${found.id}/rejected/9`)).code).toBe(180)
  })

  it('a static audience is kept as keyed hashes: no table and no event holds an identifier', async () => {
    const phone = '2347019988776'
    const found = await ready(`${phone}\n${device()}`)
    const { rows: keys } = await product.database.pool.query('select key from app.audience_keys')
    const hash = createHmac('sha256', keys[0].key).update(`phone:${phone}`).digest().subarray(0, 16)
    const { rows } = await product.database.pool.query('select members from app.audience_members where audience_id = $1', [
      found.id,
    ])
    expect(Buffer.concat(rows.map(({ members }) => members)).includes(hash)).toBe(true)
    const { rows: tables } = await product.database.pool.query(`
      select table_schema || '.' || table_name as name from information_schema.tables
      where table_schema in ('app', 'es', 'identity', 'public') and table_type = 'BASE TABLE'`)
    for (const { name } of tables) {
      const { rows: hits } = await product.database.pool.query(`select 1 from ${name} t where strpos(t::text, $1) > 0 limit 1`, [
        phone,
      ])
      expect([name, hits.length]).toEqual([name, 0])
    }
  })

  it('takes the column and the kind that a person confirmed, and refuses unknown ones', async () => {
    const csv = `name;backup;best\nNadia;${device()};2348031234567\n`
    const { data } = await upload(csv, { name: named(), column: 'best', kind: 'phone' })
    expect(await settledAudience(ada, data.id)).toMatchObject({ accepted: 1, rejected: 0 })
    expect((await upload(csv, { name: named(), column: 'nothing' })).code).toBe(2)
    expect((await upload(csv, { name: named(), kind: 'email' })).data.errors).toMatchObject([{ path: 'kind' }])
  })

  it('answers which column was read as what, with examples and reasons', async () => {
    // Registration asks for it; the demo does not.
    await product.database.pool.query(`update identity.people set country = 'EG' where email = 'ada@nile.example'`)
    const csv = 'id,created,mobile_no\n1,2026-11-10,201005550177\n2,2026-11-10,20 100 555 0178\n3,2026-11-10,+201005550179\n'
    const { code, data } = await upload(csv)
    expect([code, data]).toEqual([
      0,
      {
        id: expect.any(String),
        status_key: 1,
        version: 1,
        position: expect.any(String),
        column: 'mobile_no',
        as_likely: [],
        kind: 'phone',
        device: null,
        country: 'EG',
        rows: 3,
        rejected: 1,
        reasons: { prefix: 1 },
        normalised: { marks: 1 },
        examples: [
          { row: 2, text: '201005550177', value: '201005550177', reason: null, changes: [] },
          { row: 3, text: '20 100 555 0178', value: '201005550178', reason: null, changes: ['marks'] },
          { row: 4, text: '+201005550179', value: null, reason: 'prefix', changes: [] },
        ],
      },
    ])
    const again = await upload(csv, { name: named(), phones: 'any' })
    expect(again.data).toMatchObject({ rejected: 0, normalised: { marks: 1, completed: 1 } })
    const british = await upload('phone\n07911123450\n', { name: named(), phones: 'gb' })
    expect(british.data).toMatchObject({ country: 'GB', rejected: 0 })
    expect((await upload(csv, { name: named(), phones: 'ZZ' })).data.errors).toMatchObject([{ path: 'phones' }])
  })

  it('says all of it in a dry run, and stores nothing', async () => {
    const tables = ['audience_uploads', 'audience_names']
    const counts = () => Promise.all(tables.map((table) => stored(table)))
    const before = await counts()
    const dry = await uploadAudience(product.base, ada, `idfa\n${device()}\nx\n`, {}, { query: '?dry_run=true' })
    expect([dry.code, dry.data]).toEqual([
      0,
      expect.objectContaining({ column: 'idfa', kind: 'device', device: 'idfa', rows: 2, rejected: 1, reasons: { format: 1 } }),
    ])
    expect(dry.data.id).toBeUndefined()
    const refused = await uploadAudience(product.base, ada, 'order\n201005550177\n', {}, { query: '?dry_run=true' })
    expect([refused.code, refused.data.column]).toEqual([182, 'order'])
    expect(await counts()).toEqual(before)
  })

  it.each([
    ['hashes', `phone\n${'ab'.repeat(32)}\n`, 182, { path: 'file', key: 'audienceHashed', params: { column: 'phone' } }],
    ['order numbers', 'order_no\n201005550177\n', 182, { path: 'column', key: 'audienceColumn', params: { column: 'order_no' } }],
    ['an Excel workbook', Uint8Array.from([0x50, 0x4b, 3, 4, 20, 0, 6, 0]), 2, { path: 'file', key: 'audienceWorkbook' }],
    ['a PDF', '%PDF-1.7 of a list', 2, { path: 'file', key: 'audiencePdf' }],
  ])('refuses %s by their name', async (_, content, code, fault) => {
    const answer = await upload(content)
    expect([answer.code, answer.data.errors]).toMatchObject([code, [fault]])
  })

  // covers AUD-13 AUD-14
  it('refuses an empty file with its own sentence, and stores nothing', async () => {
    const before = await stored('audience_uploads')
    const { status, code, message, data } = await upload('')
    expect([status, code, message]).toEqual([400, 2, 'Audience file is empty'])
    expect(data.errors).toMatchObject([{ path: 'file', message: 'Audience file is empty' }])
    expect(await stored('audience_uploads')).toBe(before)
  })

  // covers ERR-38
  it('refuses a file without a valid row with 182, and stores nothing of it', async () => {
    const name = named()
    const { status, code, data } = await upload('phone\n+2348031234567\nhello\n', { name })
    expect([status, code, data.rows, data.reasons]).toEqual([400, 182, 2, { prefix: 1, format: 1 }])
    // Parts belong to an upload; those of others come and go meanwhile.
    expect(await stored('audience_uploads', `name = '${name}'`)).toBe(0)
    expect((await upload(device(), { name })).code).toBe(0)
  })

  // covers ERR-37 FP-26
  it('refuses more than 50 MiB with 181', async () => {
    const line = `${device()}\n`
    const before = await stored('audience_uploads')
    const { status, code } = await upload(Buffer.alloc(50 * 1024 * 1024 + 1, line))
    expect([status, code]).toEqual([413, 181])
    expect(await stored('audience_uploads')).toBe(before)
  })

  // covers ERR-39
  it('refuses a name that the account has, whatever its case, with 183', async () => {
    const name = named()
    await ready(device(), name)
    const again = await upload(device(), { name: ` ${name.toUpperCase()} ` })
    expect([again.status, again.code]).toEqual([409, 183])
    expect((await upload(device(), { name }, bola)).code).toBe(0)
  })

  it.each([
    ['', 'required'],
    ['x'.repeat(301), 'maxLength'],
    ['Lagos\u202egpj', 'shownName'],
  ])('refuses the name "%s"', async (name, key) => {
    expect((await upload(device(), { name })).data.errors).toMatchObject([{ path: 'name', key }])
  })

  it('gets another version, which leaves its name, and may be renamed with it', async () => {
    const first = await ready(`${device()}\n${device()}`)
    const again = await upload(`${device()}\n${device()}\n${device()}`, { id: first.id })
    expect([again.code, again.data.version]).toEqual([0, 2])
    const second = await settledAudience(ada, first.id)
    expect(second).toMatchObject({ name: first.name, version: 2, matched: 3, accepted: 3 })
    expect(second.versions.map(({ version, accepted, author }) => [version, accepted, author])).toEqual([
      [2, 3, 'Ada Hassan'],
      [1, 2, 'Ada Hassan'],
    ])
    const name = named('Renamed')
    expect((await upload(device(), { id: first.id, name })).code).toBe(0)
    expect(await settledAudience(ada, first.id)).toMatchObject({ name, version: 3 })
    expect((await upload(device(), { id: first.id }, bola)).code).toBe(180)
  })

  it('counts once with an Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': randomUUID() }
    const [name, content] = [named(), `${device()}\n`]
    const send = (text: string) => uploadAudience(product.base, ada, text, { name }, { headers })
    const first = await send(content)
    const second = await send(content)
    expect([first.code, second.data]).toEqual([0, first.data])
    expect((await send(`${device()}\n`)).code).toBe(141)
    expect((await settledAudience(ada, first.data.id)).versions).toHaveLength(1)
  })

  // covers AUD-07
  it('belongs to the user that an owner names, before or behind the file; others cannot name one', async () => {
    const { id: user } = await me(bola)
    const first = await uploadAudience(product.base, owner, device(), { name: named(), user })
    const second = await uploadAudience(product.base, owner, device(), { name: named() }, { after: { user } })
    for (const { code, data } of [first, second])
      expect([code, (await settledAudience(owner, data.id)).space_id]).toEqual([0, lagos])
    const own = await upload(device(), { name: named(), user })
    expect((await settledAudience(ada, own.data.id)).space_id).toBe(nile)
    expect((await uploadAudience(product.base, owner, device(), { name: named(), user: randomUUID() })).code).toBe(6)
    const late = await uploadAudience(product.base, owner, device(), { name: named() }, { after: { kind: 'phone' } })
    expect(late.data.errors).toMatchObject([{ path: 'kind' }])
  })
})

describe('calls of audiences', () => {
  // covers AUD-22 ERR-36
  it('calls of audiences answer 180 for an unknown audience and for one of another account', async () => {
    const theirs = await ready(device(), named(), bola)
    for (const id of [randomUUID(), 'no-id', theirs.id])
      for (const [method, path] of [
        ['GET', `/v1/segment-audience/${id}`],
        ['GET', `/v1/segment-audience/${id}/overlap`],
        ['DELETE', `/v1/segment-audience/delete/${id}`],
      ] as const)
        expect([path, (await ada.call(method, path)).code]).toEqual([path, 180])
    expect((await owner.call('GET', `/v1/segment-audience/${theirs.id}`)).code).toBe(0)
    expect((await admin.call('GET', `/v1/segment-audience/${theirs.id}`)).code).toBe(0)
  })

  // covers AUD-02 AUD-19
  it('calls of audiences list the audiences of an account by name, kind and status, page by page', async () => {
    const prefix = named('Listed')
    for (const n of [1, 2, 3]) await ready(device(), `${prefix} ${n}`)
    const all = await listed(ada, { space_id: nile, name: prefix.toLowerCase() })
    expect([all.total_size, all.data.map(({ name }) => name)]).toEqual([3, [`${prefix} 3`, `${prefix} 2`, `${prefix} 1`]])
    expect(all.data[0]).toMatchObject({ id: expect.any(String), name: `${prefix} 3`, row_count: 1, status: 2, used_in: 0 })
    expect((await listed(ada, { name: prefix, page: 1, page_size: 2 })).data.map(({ name }) => name)).toEqual([`${prefix} 1`])
    expect((await listed(ada, { name: prefix, type: 'dynamic' })).total_size).toBe(0)
    expect((await listed(ada, { name: prefix, status: 3 })).total_size).toBe(0)
    expect((await ada.call('POST', '/v1/segment-audience/list', { space_id: lagos })).code).toBe(1420)
    expect((await listed(owner, { name: prefix })).total_size).toBe(3)
    expect((await listed(bola, { name: prefix })).total_size).toBe(0)
  })

  // covers AUD-23
  it('calls of audiences delete an audience with everything that is stored of it, and its name is free', async () => {
    const gone = await ready(`device_id\n${device()}\n+1`)
    expect((await ada.call('DELETE', `/v1/segment-audience/delete/${gone.id}`)).code).toBe(0)
    expect((await listed(ada, { name: gone.name })).total_size).toBe(0)
    expect((await ada.call('GET', `/v1/segment-audience/${gone.id}`)).code).toBe(180)
    for (const table of ['audience_members', 'audience_sets', 'audience_uploads', 'audience_sizes', 'audience_names'])
      expect([table, await stored(table, `audience_id = '${gone.id}'`)]).toEqual([table, 0])
    expect((await upload(device(), { name: gone.name })).code).toBe(0)
  })

  it('calls of audiences show which members two audiences share', async () => {
    const shared = [device(), device(), device()]
    const a = await ready([...shared, device()].join('\n'))
    const b = await ready([...shared, device(), device()].join('\n'))
    const { data } = await ada.call<{ audiences: { id: string; shared: number; members: number; estimated: boolean }[] }>(
      'GET',
      `/v1/segment-audience/${a.id}/overlap`,
    )
    expect(data.audiences.find(({ id }) => id === b.id)).toMatchObject({ shared: 3, members: 5, estimated: false })
    expect(data.audiences.filter(({ id }) => id !== b.id).every((other) => other.shared === 0)).toBe(true)
  })

  // covers AUD-24
  it('calls of audiences store a request for a resource', async () => {
    const { code, data } = await ada.call<{ request_id: string }>('POST', '/v1/audience/audience-resource', {
      name: 'Nile Chat',
      id: 'com.nile.chat',
    })
    expect(code).toBe(0)
    expect(await stored('audience_resource_requests', `id = '${data.request_id}' and name = 'Nile Chat'`)).toBe(1)
    expect((await ada.call('POST', '/v1/audience/audience-resource', { name: '', id: 'x' })).code).toBe(2)
  })
})

describe('an audience in a campaign', () => {
  const targeting = (segment_audiences: object) => ({
    targeting: { segment_audiences: { includeAny: [], include: [], exclude: [], ...segment_audiences } },
  })
  const campaignWith = async (segments: object) => {
    const body = await publishable(product.base, ada, { name: named('Campaign'), ...targeting(segments) })
    return ada.call('POST', '/v1/campaign', body)
  }

  // covers CAM-TGT-23
  it('an audience in a campaign is named by its id; one of another account or a deleted one is unknown (131)', async () => {
    const own = await ready(device())
    const { code, data } = await campaignWith({ include: [own.id] })
    expect(code).toBe(0)
    const saved = await ada.call<{ targeting: { segment_audiences: unknown } }>('GET', `/v1/campaign/${data.id}`)
    expect(saved.data.targeting.segment_audiences).toEqual({ includeAny: [], include: [own.id], exclude: [] })
    const theirs = await ready(device(), named(), bola)
    const gone = await ready(device())
    await ada.call('DELETE', `/v1/segment-audience/delete/${gone.id}`)
    for (const id of [theirs.id, gone.id, randomUUID()]) {
      const refusal = await campaignWith({ exclude: [id] })
      expect([refusal.code, refusal.data.errors[0]?.path]).toEqual([131, 'targeting.segment_audiences'])
    }
  })

  it('an audience is refused with 2 where the file cannot be read', async () => {
    const { status, code, data } = await upload(','.repeat(150_000))
    expect([status, code, data.errors[0].path]).toEqual([400, 2, 'file'])
  })

  // covers FP-62
  it('an audience in a campaign is not deleted while a campaign uses it: 184 names the campaigns', async () => {
    const used = await ready(device())
    const { data: campaign } = await campaignWith({ includeAny: [used.id] })
    const refusal = await ada.call<{ campaigns: { id: string; name: string }[] }>(
      'DELETE',
      `/v1/segment-audience/delete/${used.id}`,
    )
    expect([refusal.status, refusal.code, refusal.message]).toEqual([409, 184, 'Audience is used by campaigns'])
    expect(refusal.data.campaigns).toEqual([{ id: campaign.id, name: campaign.name }])
    expect(await audienceOf(ada, used.id)).toMatchObject({ used_in: 1, campaigns: [{ id: campaign.id, list: 'includeAny' }] })
    // A refused deletion leaves it as it was.
    expect((await campaignWith({ include: [used.id] })).code).toBe(0)
    await ada.call('PUT', '/v1/campaign', { id: campaign.id, ...targeting({}) })
    expect((await ada.call('DELETE', `/v1/segment-audience/delete/${used.id}`)).code).toBe(184)
  })

  it('an audience is not deleted at the same time as a save that names it, while the list of campaigns is late', async () => {
    const used = await ready(device())
    const lock = await product.database.pool.connect()
    try {
      await lock.query('begin')
      await lock.query(`select 1 from es.subscriptions where name = 'campaign-list' for update`)
      const body = await publishable(product.base, ada, { name: named('Late'), ...targeting({ exclude: [used.id] }) })
      expect((await ada.call('POST', '/v1/campaign', body)).code).toBe(0)
      const refused = await ada.call('DELETE', `/v1/segment-audience/delete/${used.id}`)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    } finally {
      await lock.query('rollback')
      lock.release()
    }
    expect((await ada.call('DELETE', `/v1/segment-audience/delete/${used.id}`)).code).toBe(184)
  })

  it('an audience in a campaign cannot be named by a new save while its deletion waits for saves before it', async () => {
    const used = await ready(device())
    const body = await publishable(product.base, ada, { name: named('Racing'), ...targeting({ exclude: [used.id] }) })
    const lock = await product.database.pool.connect()
    try {
      await lock.query('begin')
      await lock.query(`select 1 from es.subscriptions where name = 'campaign-list' for update`)
      expect((await campaignWith({})).code).toBe(0)
      const deletion = ada.call('DELETE', `/v1/segment-audience/delete/${used.id}`)
      await eventually(
        () => stored('audience_names', `audience_id = '${used.id}' and leaving_at is not null`),
        (leaving) => leaving === 1,
      )
      expect((await ada.call('POST', '/v1/campaign', body)).code).toBe(131)
      await lock.query('rollback')
      expect((await deletion).code).toBe(0)
    } finally {
      await lock.query('rollback')
      lock.release()
    }
    expect((await campaignWith({ include: [used.id] })).code).toBe(131)
  })

  it('a deletion and a save that names the audience at the same time: the deletion waits for the save, or the save is refused', async () => {
    const used = await ready(device())
    const { names } = createAudienceStores(createKysely(product.database.pool), async () => Promise.reject(new Error('unused')))
    expect(await names.use(nile, [used.id], 'a save under way')).toBe(true)
    expect((await ada.call('DELETE', `/v1/segment-audience/delete/${used.id}`)).status).toBe(503)
    await names.release('a save under way')
    await names.leave(used.id, true)
    expect(await names.use(nile, [used.id], 'a later save')).toBe(false)
    expect((await campaignWith({ exclude: [used.id] })).code).toBe(131)
    await names.leave(used.id, false)
    expect((await campaignWith({})).code).toBe(0)
    expect((await ada.call('DELETE', `/v1/segment-audience/delete/${used.id}`)).code).toBe(0)
    expect((await product.database.pool.query('select 1 from app.audience_claims')).rowCount).toBe(0)
  })

  it('ends deleted or named, never both, when eight saves and deletions run at once while the list of campaigns is late', async () => {
    const used = await ready(device())
    const bodies = await Promise.all(
      Array.from({ length: 8 }, () =>
        publishable(product.base, ada, { name: named('At once'), ...targeting({ exclude: [used.id] }) }),
      ),
    )
    const remove = () => fetch(`${product.base}/v1/segment-audience/delete/${used.id}`, { method: 'DELETE', headers })
    const headers = { authorization: `Bearer ${ada.token}` }
    const lock = await product.database.pool.connect()
    let answers: readonly (readonly [save: number, deletion: number])[] = []
    try {
      await lock.query('begin')
      await lock.query(`select 1 from es.subscriptions where name = 'campaign-list' for update`)
      // From here on the list is behind.
      expect((await campaignWith({})).code).toBe(0)
      answers = await Promise.all(
        bodies.map(async (body) => {
          const saved = ada.call('POST', '/v1/campaign', body)
          const [deletion, { code }] = await Promise.all([remove(), saved])
          return [code, deletion.status] as const
        }),
      )
    } finally {
      await lock.query('rollback')
      lock.release()
    }
    const saves = answers.filter(([code]) => code === 0).length
    expect(answers.filter(([code]) => code !== 0 && code !== 131)).toEqual([])
    expect(answers.filter(([, status]) => status !== 503)).toEqual([])
    const last = await ada.call('DELETE', `/v1/segment-audience/delete/${used.id}`)
    expect([last.status, last.code]).toEqual(saves > 0 ? [409, 184] : [200, 0])
    expect((await ada.call('GET', `/v1/segment-audience/${used.id}`)).code).toBe(saves > 0 ? 0 : 180)
  })

  it('an audience in a campaign is pinned in the version that was ready at the approval', async () => {
    const first = await ready(servedList())
    const body = await publishable(product.base, ada, { name: named('Pinned'), ...targeting({ include: [first.id] }) })
    const { data: draft } = await ada.call('POST', '/v1/campaign/saveAndPublish', body)
    const moderator = await product.as('moderator@dsp.example')
    const approved = await moderator.call('POST', '/v1/whitelabel/admin/campaign/approve', {
      campaign_id: draft.id,
      moderation_start_at: draft.moderation_start_at,
    })
    expect(approved.code).toBe(0)
    await upload(device(), { id: first.id })
    const second = await settledAudience(ada, first.id)
    expect(second).toMatchObject({ version: 2, campaigns: [{ id: draft.id, version: 1, newer_version: true }] })
  })

  it('counts in the estimate by its members, and one out of reach has none', async () => {
    const small = await ready(Array.from({ length: 40 }, device).join('\n'))
    const size = async (by: Session) => {
      const asked = { country: 'NG', similarity: 0, segment_audiences: { include: [small.id] } }
      return (await by.call<{ total: number }>('POST', '/v1/audience/audience-size', asked)).data.total
    }
    expect([await size(ada), await size(bola), await size(owner)]).toEqual([40, 0, 40])
  })
})
