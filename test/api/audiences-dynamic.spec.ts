import { ERASERS } from '#api/areas/index'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { erasePerson } from '#platform/identity/erasure'
import { createAudienceStores } from '#platform/audience/audience-stores'
import { createKysely } from '#platform/database/pool'
import { audienceOf, settledAudience, uploadAudience } from '../support/audiences.ts'
import { DELIVERED, deliveryIn, hour } from '../support/delivery.ts'
import { eventually, startTestProduct, type Session, type TestProduct } from '../support/product.ts'
import { trackingIn } from '../support/tracking.ts'

let product: TestProduct
let ada: Session
let bola: Session
let space = ''
let campaign = ''
let made = 0
beforeAll(async () => {
  product = await startTestProduct(DELIVERED)
  const delivery = await deliveryIn(product)
  ;({ ada, space } = delivery)
  bola = await product.as('bola@lagos.example')
  campaign = await delivery.running({ attribution_tags: 'cid={CID}&who={ANONYMOUS_ID}' })
  // Only confirmed events make members (fine print 111).
  await delivery.send(randomUUID(), [{ hour: hour(), campaign_id: campaign, impressions: 1, clicks: 1, spent: 0 }])
})
afterAll(() => product.stop())

const named = () => `Rules ${(made += 1)}`
const rule = (field: string, operator: string, value: string | number) => ({ field, operator, value })
const all = (...rules: readonly object[]) => ({ condition: 'and', rules })
/** Events of one visitor whom the campaign brought. */
const visit = (visitor: string, ...events: readonly object[]) =>
  trackingIn(product, ada).send(
    events.map((event) => ({
      id: randomUUID(),
      url: `https://nile.example/luxor?cid=${campaign}&who=${visitor}`,
      ...event,
    })) as never,
  )
const create = (rules: object, name = named()) =>
  ada.call('POST', '/v1/segment-audience/dynamic', { name, space_id: space, rules })
const membersAre = (id: string, members: number) =>
  eventually(
    () => audienceOf(ada, id),
    (found) => found.status_key === 2 && found.matched === members,
  )

describe('a dynamic audience', () => {
  it('a dynamic audience has no visitor that a page of another site reported', async () => {
    const event = `forged-${randomUUID()}`
    const url = (who: string) => `https://nile.example/luxor?cid=${campaign}&who=${who}`
    const { pixel } = trackingIn(product, ada)
    expect((await pixel({ name: event, url: url('forged') }, { origin: 'https://evil.example' })).outcome).toBe('stored')
    expect((await pixel({ name: event, url: url('real') })).outcome).toBe('stored')
    const { data } = await create(all(rule('event_total', 'is', event)))
    expect(await membersAre(data.id, 1)).toMatchObject({ matched: 1 })
  })

  // covers AUD-09 AUD-20
  it('a dynamic audience has the visitors whose events match its rules, and follows them within seconds', async () => {
    const event = `booked-${randomUUID()}`
    await visit('v-one', { name: event }, { name: event })
    await visit('v-two', { name: event })
    const created = await create(all(rule('event_7d', 'is', event), rule('events_7d', 'is_more_than', 1)))
    expect([created.code, created.data.status_key]).toEqual([0, 1])
    expect((await membersAre(created.data.id, 1)).matched).toBe(1)
    const began = Date.now()
    await visit('v-two', { name: event })
    await visit('v-three', { name: event }, { name: 'other' })
    const grown = await membersAre(created.data.id, 3)
    expect(grown).toMatchObject({ matched: 3, row_count: 3, type: 'dynamic', version: 1 })
    expect(Date.now() - began).toBeLessThan(60_000)
    expect(grown.sizes.at(-1)?.members).toBe(3)
    const list = await ada.call<{ data: { id: string }[] }>('POST', '/v1/segment-audience/list', { type: 'dynamic' })
    expect(list.data.data.map(({ id }) => id)).toContain(created.data.id)
  })

  // covers AUD-21
  it('a dynamic audience is renamed and gets other rules, which make another version', async () => {
    const event = `seen-${randomUUID()}`
    await visit('v-four', { name: event, value: 30 })
    await visit('v-five', { name: event, value: 3 })
    const { data } = await create(all(rule('event_total', 'is', event)))
    await membersAre(data.id, 2)
    const name = named()
    const rules = all(rule('event_total', 'is', event), rule('value_30d', 'is_more_than', 10))
    const saved = await ada.call<{ version: number }>('PUT', '/v1/segment-audience/dynamic', {
      id: data.id,
      name,
      space_id: space,
      rules,
    })
    expect([saved.code, saved.data.version]).toEqual([0, 2])
    const found = await eventually(
      () => audienceOf(ada, data.id),
      ({ version, status_key: status }) => version === 2 && status === 2,
    )
    expect(found).toMatchObject({ name, matched: 1, rules })
    expect(found.versions.map(({ version }) => version)).toEqual([2, 1])
    // A name alone makes no version.
    expect(
      (await ada.call<{ version: number }>('PUT', '/v1/segment-audience/dynamic', { id: data.id, name: named(), rules })).data
        .version,
    ).toBe(2)
    expect((await bola.call('PUT', '/v1/segment-audience/dynamic', { id: data.id, name, rules })).code).toBe(180)
  })

  it('shows its size before it is saved', async () => {
    const event = `previewed-${randomUUID()}`
    await visit('v-six', { name: event })
    const preview = async (by: Session, body: object) =>
      by.call<{ visitors: number; members: number; complete: boolean }>('POST', '/v1/segment-audience/preview', body)
    const { data } = await preview(ada, { space_id: space, rules: all(rule('event_1d', 'is', event)) })
    expect([data.members, data.complete]).toEqual([1, true])
    expect(data.visitors).toBeGreaterThanOrEqual(1)
    expect((await preview(bola, { space_id: space, rules: all(rule('event_1d', 'is', event)) })).code).toBe(1420)
    expect((await preview(bola, { rules: all(rule('event_1d', 'is', event)) })).data.members).toBe(0)
  })

  it('a dynamic audience is refused with every fault at once', async () => {
    const wrong = await create({ condition: 'and', rules: [rule('nothing', 'is', 1), rule('events_7d', 'is_not', 1)] }, '')
    expect(wrong.code).toBe(2)
    expect(wrong.data.errors.map(({ path }) => path)).toEqual(['name', 'rules.rules[0].field', 'rules.rules[1].operator'])
    expect((await create(all())).data.errors).toMatchObject([{ path: 'rules', key: 'needRule' }])
    const name = named()
    expect((await create(all(rule('events_7d', 'is', 1)), name)).code).toBe(0)
    expect((await create(all(rule('events_7d', 'is', 1)), name)).code).toBe(183)
  })
})

describe('a process that dies', () => {
  const stores = () =>
    createAudienceStores(createKysely(product.database.pool), async () => Promise.reject(new Error('not asked')))
  /** An upload as a process that was killed leaves it, not worked on since long. */
  async function left(rows: number) {
    const { uploads, names } = stores()
    const [id, audienceId, name] = [randomUUID(), randomUUID(), named()]
    const place = { audienceId, spaceId: space, whitelabelId: 'dsp' }
    await uploads.begin(id, place, new Date().toISOString())
    const members = Buffer.concat(Array.from({ length: rows }, (_, n) => Buffer.concat([Buffer.from([7]), Buffer.alloc(15, n)])))
    await uploads.add(
      id,
      0,
      { members: [{ bucket: 7, members }], rejected: [[9, 'format']] },
      { rows: rows + 1, rejected: 1, reasons: { format: 1 } },
    )
    const context = {
      actor: 'system:test',
      role: 'USER_OWNER',
      on_behalf_of: null,
      source: 'ui',
      command_id: randomUUID(),
      body_hash: null,
      correlation: '',
      causation: null,
    } as const
    const receive = async () => {
      await names.claim(space, audienceId, name)
      await uploads.received(id, { ...place, name, context, rows: rows + 1, rejected: 1, reasons: { format: 1 } })
    }
    const age = () =>
      product.database.pool.query(`update app.audience_uploads set alive_at = now() - interval '1 hour' where id = $1`, [id])
    return { id, audienceId, uploads, receive, age }
  }
  const countOf = async (table: string, where: string) =>
    Number((await product.database.pool.query(`select count(*) as n from app.${table} where ${where}`)).rows[0].n)

  it('a process that dies after it received a file leaves all of it: a policy finishes the version', async () => {
    const { id, audienceId, receive, age } = await left(4)
    await receive()
    await age()
    const found = await eventually(
      () => ada.call<{ status_key: number; matched: number; rejected: number }>('GET', `/v1/segment-audience/${audienceId}`),
      ({ data }) => data?.status_key === 2,
    )
    expect(found.data).toMatchObject({ matched: 4, rejected: 1, row_count: 5, duplicates: 0 })
    expect(await countOf('audience_parts', `upload_id = '${id}'`)).toBe(0)
  })

  it('a process that dies after it merged a file leaves all of it: a policy records the version', async () => {
    const { id, audienceId, uploads, receive, age } = await left(5)
    await receive()
    const upload = await uploads.find(id)
    if (upload === null) throw new Error('the upload is not there')
    await Promise.all([1, 2].map(() => uploads.merge({ ...upload, version: 1 }, 1e9)))
    await age()
    const found = await eventually(
      () => ada.call<{ status_key: number; matched: number }>('GET', `/v1/segment-audience/${audienceId}`),
      ({ data }) => data?.status_key === 2,
    )
    expect(found.data).toMatchObject({ matched: 5, version: 1 })
  })
})

it('an erased person does not come back into a dynamic audience by their phone number or id', async () => {
  const { pool } = product.database
  const { rows } = await pool.query(
    `update identity.people set phone = '+20 100 555 0199' where email = 'accountant@dsp.example' returning id`,
  )
  const id: string = rows[0].id
  const event = `erased-${randomUUID()}`
  for (const visitor of ['201005550199', '+20 (100) 555-0199', id, id.toUpperCase(), randomUUID()])
    await visit(visitor, { name: event })
  const visitors = async () =>
    (await pool.query(`select visitor from app.tracked_events where name = $1 and visitor <> id`, [event])).rowCount
  expect(await visitors()).toBe(5)
  await erasePerson(createKysely(pool), id, ERASERS)
  expect(await visitors()).toBe(1)
})

it('an erasure takes the phone number of the person out of every audience, and changes their tags', async () => {
  const phone = '201005550177'
  const other = randomUUID()
  const uploads = await Promise.all(
    [ada, bola].map((by) => uploadAudience(product.base, by, `+${phone}\n${phone}\n${other}\n`, { name: named() })),
  )
  for (const [n, by] of [ada, bola].entries()) expect((await settledAudience(by, uploads[n]?.data.id)).matched).toBe(2)
  const tagOf = async () =>
    (await product.database.pool.query(`select etag from app.audience_sets where audience_id = $1`, [uploads[0]?.data.id]))
      .rows[0].etag
  const before = await tagOf()
  const { rows } = await product.database.pool.query(
    `update identity.people set phone = '+20 100 555 0177' where email = 'clerk@nile.example' returning id`,
  )
  await erasePerson(createKysely(product.database.pool), rows[0].id, ERASERS)
  for (const [n, by] of [ada, bola].entries()) expect((await audienceOf(by, uploads[n]?.data.id)).matched).toBe(1)
  expect(await tagOf()).not.toBe(before)
  const sizes = await product.database.pool.query(
    `select sum(octet_length(members))::int as bytes from app.audience_members where audience_id = $1`,
    [uploads[0]?.data.id],
  )
  expect(sizes.rows[0].bytes).toBe(16)
})
