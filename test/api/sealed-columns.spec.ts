import { randomBytes } from 'node:crypto'
import { unzipSync } from 'fflate'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeKmsUrl } from '#platform/identity/kms-keys'
import { newId } from '#platform/ids'
import { tablesWith } from '../support/database-search.ts'
import { DELIVERED, deliveryIn, hour } from '../support/delivery.ts'
import { startKmsDouble, type KmsDouble } from '../support/kms-double.ts'
import { keyIn, mailTo } from '../support/mails.ts'
import { eventually, PASSWORD, sessionOf, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

const FIRST = randomBytes(32).toString('base64')

const PHONES = { registered: '+234 809 717 31 31', added: '+234 809 727 32 32', saved: '+20 109 737 33 33' }
const ENTITY = {
  legal_entity_name: 'Zerzura Kite Works S.A.E.',
  tin_number: 'EG-88-771-204',
  address_line_1: 'Palm Causeway 417',
  address_line_2: 'Quillon Court',
  city: 'Zephyrton',
  postal_code: '77-4182',
  invoice_email: 'ledger-room@kiosk.example',
}
/** No person has this address. */
const OUTSIDE = 'bookkeeping-desk@kiosk.example'
/** Values that stand in no table as they were entered. */
const VALUES = [...Object.values(PHONES), ...Object.values(ENTITY), OUTSIDE]

/** Fine print 94, through the whole product. */
describe('phone numbers, legal entities and parties of invoices', () => {
  let product: TestProduct
  let kms: KmsDouble
  let [owner, ada]: Session[] = []
  let [adaId, space, invoice, kmsUrl] = ['', '', '', '']
  const started: TestProduct[] = []
  const stranger = () => sessionOf(product.base, '')
  const query = (text: string, values: unknown[] = []) => product.database.pool.query(text, values)
  beforeAll(async () => {
    kms = await startKmsDouble()
    kmsUrl = await makeKmsUrl(kms.url)
    product = await startTestProduct({ ...DELIVERED, PLACARD_DATA_KEY: FIRST })
    ;[owner, ada] = await Promise.all(['owner@dsp.example', 'ada@nile.example'].map((email) => product.as(email)))
    const me = await ada!.call<{ id: string; space_id: string }>('GET', '/v1/user/me')
    ;({ id: adaId, space_id: space } = me.data)
  })
  afterAll(async () => {
    for (const other of started) await other.stop().catch(() => undefined)
    await product.stop()
    await kms.stop()
  })

  /** A charge that an invoice can have. */
  async function deliver(): Promise<void> {
    const { running, send } = await deliveryIn(product)
    const campaign_id = await running({ budget: 100 })
    expect((await send(newId(), [{ hour: hour(), campaign_id, impressions: 100, spent: 12.5 }])).code).toBe(0)
    const settled = `select 1 from app.delivery_charges c join app.settlements s on s.space_id = c.space_id and s.number = c.settlement
      where s.recorded and c.space_id = $1`
    await expect.poll(async () => (await query(settled, [space])).rowCount).toBe(1)
  }

  const foundAnywhere = async () =>
    Object.fromEntries(
      (await Promise.all(VALUES.map(async (value) => [value, await tablesWith(product.database.pool, value)] as const))).filter(
        ([, tables]) => tables.length > 0,
      ),
    )

  // covers FP-94
  it('sealed values are in no table while forms and mails wait, and none of them is lost', async () => {
    await query(`
      create function hold() returns trigger language plpgsql as
      $$ begin new.run_at = now() + interval '1 day'; return new; end $$;
      create trigger hold before insert on app.jobs for each row when (new.kind in ('mail', 'registration')) execute function hold()`)
    const form = {
      agree_with_tos: true,
      company_name: 'Harmattan Sails',
      email: 'nadia@harmattan.example',
      first_name: 'Nadia',
      last_name: 'Osei',
      phone: PHONES.registered,
      user_type_key: 1,
      currency: 'USD',
      country: 'NG',
    }
    expect(await stranger().call('POST', '/v1/registration', form)).toMatchObject({ code: 0 })
    const added = { ...form, company_name: 'Sirocco Sails', email: 'bola@sirocco.example', phone: PHONES.added }
    expect((await owner!.call('POST', '/v1/whitelabel/admin/account/add', added)).code).toBe(0)
    expect((await ada!.call('PUT', '/v1/user/me', { phone: PHONES.saved })).code).toBe(0)
    // Its answer is stored for a day, for a repeat with this key.
    const keyed = { 'idempotency-key': 'legal-once' }
    const sent = { user_id: adaId, ...ENTITY, country: 'EG' }
    for (const _ of ['once', 'again'])
      expect(await owner!.call('PUT', '/v1/user/legal', sent, keyed)).toMatchObject({ code: 0, data: ENTITY })
    expect((await query("select 1 from app.answers where key = 'legal-once'")).rowCount).toBe(1)
    const invited = { email: 'ines@nile.example', first_name: 'Ines', last_name: 'Moreau', roles: ['USER_OWNER'] }
    expect((await ada!.call('POST', `/v1/space/${space}/team/invite`, invited)).code).toBe(0)
    await deliver()
    const today = new Date().toISOString().slice(0, 10)
    const drafted = await owner!.call('POST', '/v1/invoice/create', {
      space_id: space,
      charge_from_date: today,
      charge_to_date: today,
    })
    invoice = drafted.data.id
    expect((await owner!.call('POST', `/v1/invoice/send/${invoice}`, { emails: [OUTSIDE] })).code).toBe(0)

    const { rows } = await query(`select (select count(*)::int from app.registration_requests) as forms,
      (select count(*)::int from app.mails where address is not null) as mails, (select count(*)::int from identity.invoice_parties) as parties`)
    expect(rows[0]).toEqual({ forms: 1, mails: 1, parties: 1 })
    expect(await foundAnywhere()).toEqual({})
    // The search does find what is not sealed, and names of a form that waits are sealed with it.
    expect(await tablesWith(product.database.pool, 'Sirocco Sails')).toContain('identity.people')
    expect(await tablesWith(product.database.pool, 'nadia@harmattan.example')).toEqual([])

    await query(`drop trigger hold on app.jobs; update app.jobs set run_at = now()`)
    const mail = await mailTo(product.dataDir, OUTSIDE)
    const pdf = await getDocumentProxy(new Uint8Array(mail.attachments[0]?.content ?? []))
    const { text } = await extractText(pdf, { mergePages: true })
    for (const value of [ENTITY.legal_entity_name, ENTITY.tin_number, ENTITY.address_line_1, ENTITY.city])
      expect(text).toContain(value)
  })

  it('sealed values come back through every call that shows them', async () => {
    const moderator = await product.as('moderator@dsp.example')
    const queue = await eventually(
      () =>
        moderator.call<{ registrants: { data: { id: string; email: string; phone: string }[] } }>(
          'POST',
          '/v1/whitelabel/admin/moderation/queue',
          { page_size: 150 },
        ),
      ({ data }) => data.registrants.data.some(({ email }) => email === 'nadia@harmattan.example'),
    )
    const nadia = queue.data.registrants.data.find(({ email }) => email === 'nadia@harmattan.example')
    expect(nadia?.phone).toBe(PHONES.registered)
    const details = await moderator.call<object>('GET', `/v1/whitelabel/admin/registration/${nadia?.id}`)
    expect(JSON.stringify(details.data)).toContain(PHONES.registered)
    const approved = await moderator.call('POST', '/v1/whitelabel/admin/registration/approve', { id: nadia?.id })
    expect(approved.code).toBe(0)
    const key = keyIn(await mailTo(product.dataDir, 'nadia@harmattan.example'))
    const verified = await stranger().call<object>('POST', `/v1/registration/verify-token/${key}`)
    expect(verified.data).toMatchObject({ phone: PHONES.registered })
    await shown(product)
    expect(await foundAnywhere()).toEqual({})
  })

  /** The calls that show what was entered, in a product over this database. */
  async function shown({ as, base }: TestProduct): Promise<void> {
    const [staff, user] = [await as('owner@dsp.example'), await as('ada@nile.example')]
    const get = async (session: Session, path: string) => (await session.call<object>('GET', path)).data
    expect(await get(user, '/v1/user/me')).toMatchObject({ phone: PHONES.saved, ...legal })
    expect(await get(staff, `/v1/whitelabel/admin/user/${adaId}`)).toMatchObject({ phone: PHONES.saved, ...ENTITY })
    expect(await get(staff, `/v1/space/${space}/details`)).toMatchObject({ phone: PHONES.saved, ...ENTITY })
    expect(JSON.stringify(await get(staff, `/v1/space/${space}/people`))).toContain(PHONES.saved)
    // Search by part of a name goes on.
    const list = async (search: string) =>
      (await staff.call<{ data: object[] }>('POST', '/v1/whitelabel/admin/accounts/list', { search })).data.data
    expect(await list('rocco sai')).toEqual([expect.objectContaining({ phone: PHONES.added })])
    const { invoice_email: _, ...party } = ENTITY
    expect(await get(user, `/v1/invoice/${invoice}`)).toMatchObject({ buyer: party })

    const file = async (session: Session, method: string, path: string, body?: object) => {
      const answer = await fetch(`${base}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${session.token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      expect(answer.status).toBe(200)
      return new Uint8Array(await answer.arrayBuffer())
    }
    const unzipped = (bytes: Uint8Array) =>
      Object.values(unzipSync(bytes))
        .map((part) => Buffer.from(part).toString())
        .join('')
    const excel = unzipped(await file(staff, 'POST', '/v1/whitelabel/admin/accounts/excel', {}))
    for (const phone of Object.values(PHONES)) expect(excel).toContain(phone)
    expect(unzipped(await file(user, 'GET', `/v1/invoice/${invoice}/xlsx?language=en`))).toContain(ENTITY.address_line_1)
    expect(unzipped(await file(user, 'POST', '/v1/user/data', { password: PASSWORD }))).toContain(PHONES.saved)
  }
  const { legal_entity_name, tin_number } = ENTITY
  const legal = { legal_entity_name, tin_number }

  // covers FP-94
  it('sealed values are shown under a key that AWS KMS holds, after rotations from a plain one and back', async () => {
    const { database, dataDir } = product
    const start = async (keys: string | null) => {
      const env = { DATABASE_URL: database.url, PLACARD_DATA_DIR: dataDir }
      const next = await startTestProduct(keys === null ? env : { ...env, PLACARD_DATA_KEY: keys })
      started.push(next)
      return next
    }
    await start(`${kmsUrl},${FIRST}`)
    await shown(await start(kmsUrl))
    await expect(start(FIRST)).rejects.toThrow(/PLACARD_DATA_KEY: .* which is not among the 1 given/)
    await expect(start(null)).rejects.toThrow(/PLACARD_DATA_KEY: .* which is not among the 0 given/)
    await expect(start(kms.foreignUrl())).rejects.toThrow(/the key alias\/placard of AWS KMS in eu-west-1: the data key after #/)
    const second = randomBytes(32).toString('base64')
    await start(`${second},${kmsUrl}`)
    await shown(await start(second))
    expect(await foundAnywhere()).toEqual({})
  })
})
