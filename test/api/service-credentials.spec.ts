import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mailEndingKeys } from '#commands/identity/ending-keys'
import { createEndingCredentials } from '#platform/identity/ending-keys'
import { createServiceCredentials, MOST_CREDENTIALS } from '#platform/identity/service-credentials'
import { createKysely } from '#platform/database/pool'
import { derivedId, newId } from '#platform/ids'
import { queueMail } from '#platform/mail/mail-queue'
import { tablesWith } from '../support/database-search.ts'
import { publishable, sessionOf, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Made = { readonly id: string; readonly secret: string; readonly expires_at: string; readonly errors?: readonly unknown[] }
type Results = { readonly results: readonly { readonly code: number }[] }

const PATH = '/v1/service-credential'
const approved = { status: 'approved' }
const APPROVED = { dealsPolicyCompliance: approved, networkPolicyCompliance: approved, platformPolicyCompliance: approved }
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

describe('credentials of exchanges and bidders', () => {
  let product: TestProduct
  let owner: Session
  let campaignId: string
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_EXCHANGE_REVIEW: 'external' })
    owner = await product.as('owner@dsp.example')
    const ada = await product.as('ada@nile.example')
    campaignId = (await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))).data.id
  })
  afterAll(() => product.stop())

  const google = { name: 'Google', kind: 'exchange', exchange: 'google', expires_at: inDays(30) }
  const create = (body: object = google, by = owner) => by.call<Made>('POST', PATH, body)
  const decide = (secret: string, exchange: string, id = campaignId) =>
    sessionOf(product.base, secret).call<Results>('POST', `/v1/exchange/${exchange}/decisions`, {
      decisions: [{ campaign_id: id, ...APPROVED }],
    })
  const credentials = () => createServiceCredentials(createKysely(product.database.pool), () => new Date().toISOString(), newId)

  // covers FP-51
  it('credentials of exchanges and bidders are shown once and stored as a hash', async () => {
    const { data, headers } = await create()
    expect(data.secret).toMatch(/^placard_svc_[\w-]{43}$/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(await tablesWith(product.database.pool, data.secret.slice(12))).toEqual([])
    const list = await owner.call<readonly Made[]>('GET', PATH)
    expect(list.data[0]).toMatchObject({ id: data.id, name: 'Google', kind: 'exchange', exchange: 'google', revoked_at: null })
    expect(JSON.stringify(list.data)).not.toContain('placard_svc')
  })

  it('credentials of exchanges and bidders are created again by a repeated request, because no answer with a secret is stored', async () => {
    const key = { 'idempotency-key': 'same' }
    const [first, second] = [await owner.call<Made>('POST', PATH, google, key), await owner.call<Made>('POST', PATH, google, key)]
    expect(first.data.secret).not.toBe(second.data.secret)
  })

  it('a white-label has at most a hundred working credentials, also when they are made at once', async () => {
    const own = {
      whitelabelId: 'full',
      name: 'One',
      kind: 'bidder',
      exchange: null,
      created_by: 'x',
      expires_at: inDays(1),
    } as const
    const made = await Promise.allSettled(Array.from({ length: 110 }, () => credentials().create(own)))
    const [first] = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(MOST_CREDENTIALS)
    await credentials().revoke(first?.id ?? '', 'full')
    await credentials().create(own)
    await expect(credentials().create(own)).rejects.toMatchObject({ rejection: { code: 2, faults: [{ key: 'tooMany' }] } })
  })

  // covers FP-51
  it('credentials of exchanges and bidders decide for their own exchange only', async () => {
    const { secret } = (await create()).data
    const own = await decide(secret, 'google')
    // Nothing is approved yet: the call is authorised, and each decision has its own result.
    expect([own.status, own.data.results[0]?.code]).toEqual([200, 134])
    for (const exchange of ['yandex', 'unknown']) {
      const other = await decide(secret, exchange)
      expect([exchange, other.status, other.code]).toEqual([exchange, 403, 3])
    }
  })

  it('credentials of exchanges and bidders give access to campaigns of their own white-label only', async () => {
    const wanted = { whitelabelId: 'other', name: 'Other', kind: 'exchange', exchange: 'google', created_by: 'x' } as const
    const other = await credentials().create({ ...wanted, expires_at: inDays(1) })
    expect((await decide(other.secret, 'google')).data.results[0]?.code).toBe(130)
    expect((await owner.call('DELETE', `${PATH}/${other.id}`)).code).toBe(131)
    expect((await owner.call<readonly Made[]>('GET', PATH)).data.some(({ id }) => id === other.id)).toBe(false)
    const admin = await product.as('admin@dsp.example')
    expect((await admin.call<readonly Made[]>('GET', PATH)).data.some(({ id }) => id === other.id)).toBe(true)
    expect((await admin.call('DELETE', `${PATH}/${other.id}`)).code).toBe(0)
  })

  it('credentials of a bidder cannot decide, and no credential allows a call of users', async () => {
    const bidder = (await create({ name: 'Bidder', kind: 'bidder', expires_at: inDays(1) })).data
    expect((await decide(bidder.secret, 'google')).status).toBe(403)
    const exchange = sessionOf(product.base, (await create()).data.secret)
    for (const [method, path] of [
      ['GET', `/v1/campaign/${campaignId}`],
      ['GET', PATH],
      ['GET', '/v1/user/me'],
      ['GET', '/v1/audit/security'],
    ] as const)
      expect([path, (await exchange.call(method, path)).status]).toEqual([path, 403])
    const headers = { authorization: `Bearer ${bidder.secret}`, via: 'proxy' }
    expect((await fetch(`${product.base}/metrics`, { headers })).status).toBe(403)
  })

  // covers FP-51
  it('credentials of exchanges and bidders are refused forever within 5 s of their revocation', async () => {
    const { id, secret } = (await create()).data
    expect((await decide(secret, 'google')).status).toBe(200)
    expect((await owner.call('DELETE', `${PATH}/${id}`)).code).toBe(0)
    await new Promise((resolve) => setTimeout(resolve, 5000))
    expect((await decide(secret, 'google')).status).toBe(401)
    expect((await owner.call('DELETE', `${PATH}/${id}`)).code).toBe(0)
  })

  // covers FP-51
  it('credentials of exchanges and bidders expire', async () => {
    const { id, secret } = (await create()).data
    await product.database.pool.query('update identity.service_credentials set expires_at = now() where id = $1', [id])
    expect((await decide(secret, 'google')).status).toBe(401)
  })

  // covers FP-86
  it('a rotated credential works for a day beside a new one of the same kind, and ends at once when revoked', async () => {
    const made = (await create({ ...google, expires_at: undefined, days: 60 })).data
    const { code, data } = await owner.call<Made & { replaced_until: string }>('POST', `${PATH}/${made.id}/rotate`)
    expect(code).toBe(0)
    expect(Math.round((Date.parse(data.replaced_until) - Date.now()) / 3_600_000)).toBe(24)
    expect(Math.round((Date.parse(data.expires_at) - Date.now()) / 86_400_000)).toBe(60)
    const listed = (await owner.call<readonly (Made & { replaced_at: string | null })[]>('GET', PATH)).data
    expect(listed[0]).toMatchObject({ id: data.id, name: 'Google', kind: 'exchange', exchange: 'google', replaced_at: null })
    expect(listed.find(({ id }) => id === made.id)).toMatchObject({ expires_at: data.replaced_until })
    expect([(await decide(made.secret, 'google')).status, (await decide(data.secret, 'google')).status]).toEqual([200, 200])
    const keyOf = async (id: string) =>
      ((await owner.call<{ errors: { key?: string }[] }>('POST', `${PATH}/${id}/rotate`)).data.errors[0] ?? {}).key
    expect([await keyOf(made.id), await keyOf(data.id)]).toEqual(['keyReplaced', 'keyOverlaps'])
    expect((await owner.call('DELETE', `${PATH}/${made.id}`)).code).toBe(0)
    await expect.poll(async () => (await decide(made.secret, 'google')).status).toBe(401)
    expect((await decide(data.secret, 'google')).status).toBe(200)
    expect((await owner.call('POST', `${PATH}/${made.id}/rotate`)).code).toBe(131)
  })

  it('credentials of exchanges and bidders are rotated once by thirty calls at a time', async () => {
    const { id } = (await create()).data
    const wanted = { id, whitelabelId: 'dsp', by: 'test', mostOf: () => 90 }
    const done = await Promise.all(Array.from({ length: 30 }, () => credentials().rotate(wanted)))
    expect(done.map(({ kind }) => kind).toSorted()).toEqual(['made', ...Array.from({ length: 29 }, () => 'replaced')])
  })

  // covers FP-86
  it('credentials are mailed to each owner of their white-label once, seven days before they end, and to no other staff', async () => {
    const { pool } = product.database
    const db = createKysely(pool)
    let time = Date.parse('2030-01-01T12:00:00.000Z')
    const now = () => new Date(time).toISOString()
    const at = (days: number) => new Date(time + days * 86_400_000).toISOString()
    await pool.query('delete from identity.service_credentials')
    const made = createServiceCredentials(db, now, newId)
    const make = (whitelabelId: string, name: string, days: number) =>
      made.create({ whitelabelId, name, kind: 'bidder', exchange: null, created_by: 'gone', expires_at: at(days) })
    await make('dsp', 'Long', 30)
    await make('dsp', 'Short', 7)
    await make('no-such-white-label', 'Foreign', 30)
    await made.revoke((await make('dsp', 'Revoked', 30)).id, null)
    const mailed = async () => {
      const sweeps = [1, 2].map(() =>
        mailEndingKeys({ db, keys: createEndingCredentials(db), queueMail, derivedId, now }).scan([]),
      )
      await Promise.all((await Promise.all(sweeps)).flat().map(({ act }) => act()))
      const { rows } = await pool.query<{ email: string; name: string; until: string }>(
        `select p.email, m.data ->> 'name' as name, m.data ->> 'until' as until
         from app.mails m join identity.people p on p.id = m.person_id where m.template = 'credential-ending' order by 1`,
      )
      return rows
    }
    time += 22 * 86_400_000
    expect(await mailed()).toEqual([])
    time += 86_400_000
    const { rows: owners } = await pool.query<{ email: string }>(
      `select email from identity.people where whitelabel_id = 'dsp' and 'WL_OWNER' = any(roles) order by 1`,
    )
    expect(owners.length).toBeGreaterThan(0)
    expect(await mailed()).toEqual(owners.map(({ email }) => ({ email, name: 'Long', until: at(7) })))
    await pool.query(`delete from app.mails where template = 'credential-ending'`)
    expect(await mailed()).toEqual([])
  })

  it('credentials of another white-label are not rotated', async () => {
    const wanted = { whitelabelId: 'other', name: 'Other', kind: 'exchange', exchange: 'google', created_by: 'x' } as const
    const { id } = await credentials().create({ ...wanted, expires_at: inDays(1) })
    expect((await owner.call('POST', `${PATH}/${id}/rotate`)).code).toBe(131)
  })

  it.each([
    ['that never expires', { ...google, expires_at: undefined }],
    ['that has expired', { ...google, expires_at: inDays(-1) }],
    ['that lives longer than 90 days', { ...google, expires_at: inDays(91) }],
    ['with an invalid expiry', { ...google, expires_at: 'soon' }],
    ['of an exchange without a name', { ...google, exchange: undefined }],
    ['of an unknown exchange', { ...google, exchange: 'nowhere' }],
    ['of a bidder with an exchange', { ...google, kind: 'bidder' }],
    ['of an unknown kind', { ...google, kind: 'admin' }],
    ['without a name', { ...google, name: ' ' }],
  ])('credentials of exchanges and bidders refuse a new credential %s', async (_what, body) => {
    const answer = await create(body)
    expect([answer.status, answer.code]).toEqual([400, 2])
  })

  it.each(['moderator', 'accountant', 'auditor'])(
    'credentials of exchanges and bidders cannot be managed by a user with the role of the demo user %s',
    async (who) => {
      const session = await product.as(`${who}@dsp.example`)
      for (const answer of [
        await create(google, session),
        await session.call('GET', PATH),
        await session.call('DELETE', `${PATH}/x`),
      ])
        expect([answer.status, answer.code]).toEqual([403, 3])
    },
  )

  it('credentials of exchanges and bidders never share an answer to one idempotency key', async () => {
    const secrets = [(await create()).data.secret, (await create()).data.secret]
    const ids = [campaignId, newId()]
    const codes = []
    for (const [n, secret] of secrets.entries()) {
      const answer = await sessionOf(product.base, secret).call<Results>(
        'POST',
        '/v1/exchange/google/decisions',
        { decisions: [{ campaign_id: ids[n], ...APPROVED }] },
        { 'idempotency-key': 'one' },
      )
      codes.push(answer.data.results[0]?.code)
    }
    expect(codes).toEqual([134, 130])
  })
})
