import { API_SCOPES } from '#domain/kit/api-scopes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '#domain/kit/event-metadata'
import { createCredential } from '#contract/service-credential'
import { createServiceCredentials } from '#platform/identity/service-credentials'
import { createApiKeys } from '#platform/identity/api-keys'
import { createPeople } from '#platform/identity/people'
import { createAccountCommands } from '#commands/account/account-commands'
import { createHandler } from '#commands/handle'
import type { Role } from '#domain/kit/access'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createKysely } from '#platform/database/pool'
import { derivedId, newId } from '#platform/ids'
import { servedList, settledAudience, uploadAudience } from '../support/audiences.ts'
import { DELIVERED, deliveryIn, hour } from '../support/delivery.ts'
import { eventually, PASSWORD, sessionOf, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Bidders = Readonly<Record<'own' | 'foreign', string>>

/** Every call of bidders and exchanges, asked with credentials of the white-label of the data and of another one. */
describe('service credentials of another white-label', () => {
  let product: TestProduct
  let admin: Session
  let campaign = ''
  let creative = ''
  let space = ''
  let members = ''
  let pixelKey = ''
  let bidder: Bidders = { own: '', foreign: '' }
  let exchange: Bidders = { own: '', foreign: '' }
  let delivery: Awaited<ReturnType<typeof deliveryIn>>
  beforeAll(async () => {
    product = await startTestProduct(DELIVERED)
    admin = await product.as('admin@dsp.example')
    delivery = await deliveryIn(product)
    const { ada } = delivery
    space = delivery.space
    campaign = await delivery.running()
    creative =
      (await ada.call<{ visuals: { banners: { id: string }[] } }>('GET', `/v1/campaign/${campaign}`)).data.visuals.banners[0]
        ?.id ?? ''
    pixelKey = (await ada.call<{ key: string }>('GET', '/v1/events/pixel-key')).data.key
    const { data: uploaded } = await uploadAudience(product.base, ada, servedList(), { name: 'Matrix' })
    await settledAudience(ada, uploaded.id)
    const segment_audiences = { includeAny: [], include: [uploaded.id], exclude: [] }
    expect((await ada.call('PUT', '/v1/campaign', { id: campaign, targeting: { segment_audiences } })).code).toBe(0)
    members = `/v1/delivery/audiences/${uploaded.id}/1`
    const credentials = createServiceCredentials(createKysely(product.database.pool), () => new Date().toISOString(), newId)
    const make = async (whitelabelId: string, kind: 'bidder' | 'exchange') =>
      (
        await credentials.create({
          whitelabelId,
          kind,
          name: 'Matrix',
          exchange: kind === 'exchange' ? 'google' : null,
          created_by: 'test',
          expires_at: '2099-01-01T00:00:00.000Z',
        })
      ).secret
    bidder = { own: await make('dsp', 'bidder'), foreign: await make('ng', 'bidder') }
    exchange = { own: await make('dsp', 'exchange'), foreign: await make('ng', 'exchange') }
  })
  afterAll(() => product.stop())

  const as = (secret: string) => sessionOf(product.base, secret)
  const statusOf = async (secret: string, path: string) =>
    (await fetch(product.base + path, { headers: { authorization: `Bearer ${secret}` } })).status

  it('service credentials of another white-label list no campaigns of it', async () => {
    const listed = async (secret: string) =>
      (await as(secret).call<{ campaigns: { id: string }[] }>('GET', '/v1/delivery/campaigns')).data.campaigns.map(({ id }) => id)
    expect(await listed(bidder.own)).toContain(campaign)
    expect(await listed(bidder.foreign)).toEqual([])
  })

  it('service credentials of another white-label deliver, and so charge, no campaigns of it', async () => {
    const row = { hour: hour(), campaign_id: campaign, creative_id: creative, size: '300x250', exchange: 'google' }
    const rest = { publisher: 'p', app_or_site: 'a', device_type_key: 2, os: 'Linux', country: 'EG', region: '', city: '' }
    const counts = {
      impressions: 10,
      clicks: 0,
      conversions: 0,
      unique_conversions: 0,
      bids: 0,
      reach: 0,
      bounces: 0,
      engagements: 0,
      spent: 0.01,
    }
    const send = (secret: string) =>
      as(secret).call('POST', '/v1/delivery/batches', { batch_id: newId(), rows: [{ ...row, ...rest, ...counts }] })
    expect((await send(bidder.foreign)).data.errors[0]?.path).toBe('rows[0].campaign_id')
    expect((await send(bidder.own)).code).toBe(0)
  })

  it('service credentials sample bid requests for their own white-label alone', async () => {
    const { rows: before } = await product.database.pool.query<{ last: string }>(
      'select coalesce(max(id), 0) as last from app.bid_samples',
    )
    for (const secret of [bidder.own, bidder.foreign])
      expect((await as(secret).call('POST', '/v1/delivery/bid-requests', { requests: [{ imp: [{ id: '1' }] }] })).code).toBe(0)
    const { rows } = await product.database.pool.query('select whitelabel_id from app.bid_samples where id > $1 order by id', [
      before[0]?.last,
    ])
    expect(rows).toEqual([{ whitelabel_id: 'dsp' }, { whitelabel_id: 'ng' }])
  })

  it('service credentials of another white-label see no change of its campaigns in the stream', async () => {
    const first = async (secret: string) => {
      const answer = await fetch(`${product.base}/v1/delivery/stream?seconds=2`, {
        headers: { authorization: `Bearer ${secret}` },
      })
      const reading = answer.text()
      await delivery.ada.call('PUT', '/v1/campaign', { id: campaign, budget: 60 + Math.floor(Math.random() * 1000) })
      return reading
    }
    const [own, foreign] = [await first(bidder.own), await first(bidder.foreign)]
    expect(own).toContain(campaign)
    expect(foreign).not.toContain(campaign)
  })

  it('service credentials of another white-label send no events of its accounts', async () => {
    const send = async (secret: string) =>
      (await as(secret).call('POST', '/v1/events', { space_id: space, events: [{ name: 'page_view' }] })).code
    expect([await send(bidder.foreign), await send(bidder.own)]).toEqual([1420, 0])
  })

  it('service credentials of another white-label read none of its keys of identifiers, and no members of its audiences', async () => {
    type Keys = { readonly keys: readonly { readonly whitelabel_id: string }[] }
    const keys = async (secret: string) =>
      (await as(secret).call<Keys>('GET', '/v1/delivery/audience-keys')).data.keys.map(({ whitelabel_id: id }) => id)
    expect([await keys(bidder.foreign), await keys(bidder.own)]).toEqual([['ng'], ['dsp']])
    await eventually(
      () => statusOf(bidder.own, members),
      (status) => status === 200,
    )
    expect(await statusOf(bidder.foreign, members)).toBe(404)
  })

  it('service credentials of another white-label decide on none of its creatives', async () => {
    const approved = { status: 'approved' }
    const verdict = { dealsPolicyCompliance: approved, networkPolicyCompliance: approved, platformPolicyCompliance: approved }
    const decide = async (secret: string) =>
      (
        await as(secret).call<{ results: { code: number }[] }>('POST', '/v1/exchange/google/decisions', {
          decisions: [{ campaign_id: campaign, ...verdict }],
        })
      ).data.results[0]?.code
    expect([await decide(exchange.foreign), await decide(exchange.own)]).toEqual([130, 0])
  })

  it('service credentials are refused while their white-label is suspended, like its pixel, and work after its restore', async () => {
    const ask = async () => [
      await statusOf(bidder.foreign, '/v1/delivery/campaigns'),
      await statusOf(bidder.foreign, '/v1/delivery/audience-keys'),
      (await as(exchange.foreign).call('POST', '/v1/exchange/google/decisions', { decisions: [{ campaign_id: campaign }] }))
        .status,
    ]
    const pixel = async () => {
      const answer = await fetch(`${product.base}/v1/pixel.gif?key=${pixelKey}`)
      return (answer.headers.get('x-placard-event') ?? '').split(';')[0]
    }
    const moveTo = (id: string) =>
      product.database.pool.query('update rm_accounts set whitelabel_id = $1 where space_id = $2', [id, space])
    expect((await ask()).slice(0, 2)).toEqual([200, 200])
    expect(await pixel()).toBe('stored')
    await moveTo('ng')
    expect((await admin.call('POST', '/v1/whitelabel/ng/suspend', { reason: 'unpaid' })).code).toBe(0)
    await eventually(ask, (statuses) => statuses.every((status) => status === 401))
    await eventually(pixel, (outcome) => outcome === 'refused')
    expect((await admin.call('POST', '/v1/whitelabel/ng/restore')).code).toBe(0)
    await eventually(ask, (statuses) => statuses[0] === 200)
    await moveTo('dsp')
  })

  describe('API keys of users of it', () => {
    const keys: Record<string, Session> = {}
    beforeAll(async () => {
      const db = createKysely(product.database.pool)
      const now = () => new Date().toISOString()
      const apiKeys = createApiKeys({ db, now, newId, demo: true })
      const names = { first_name: 'Key', last_name: 'Holder', phone: null, password: PASSWORD }
      const { pool, url } = product.database
      const { rows: homes } = await pool.query(`select home_space_id from identity.people where email = 'owner@dsp.example'`)
      const store = createPostgresEventStore({ pool, url })
      const handle = createHandler({ store, now, eventId: (id, n) => derivedId('event', id, String(n)) })
      const open = async (house: boolean): Promise<string> => {
        const spaceId = newId()
        const opened = { type: 'OpenAccount', spaceId, whitelabelId: 'ng', name: spaceId, currency: 'USD', house } as const
        const done = await createAccountCommands(handle).execute(spaceId, systemContext('invoices', newId()), opened)
        if (done.kind === 'done') await admin.call('GET', '/v1/user/me', undefined, { 'x-position': String(done.position) })
        return spaceId
      }
      const [house, foreign] = [await open(true), await open(false)]
      await store.close()
      const people: Readonly<Record<string, readonly [whitelabel: string, home: string, role: Role]>> = {
        'own advertiser': ['dsp', space, 'USER_OWNER'],
        'own staff': ['dsp', homes[0].home_space_id, 'WL_OWNER'],
        'foreign advertiser': ['ng', foreign, 'USER_OWNER'],
        'foreign staff': ['ng', house, 'WL_OWNER'],
        'foreign auditor': ['ng', house, 'AUDITOR'],
      }
      for (const [who, [whitelabel_id, home_space_id, role]] of Object.entries(people)) {
        const id = newId()
        await createPeople(db, { demo: true }).create({
          ...names,
          id,
          email: `${id}@keys.example`,
          whitelabel_id,
          home_space_id,
          roles: [role],
        })
        const { rows } = await product.database.pool.query('select token_version from identity.people where id = $1', [id])
        const wanted = { name: 'Matrix', scopes: API_SCOPES, expires_at: '2099-01-01T00:00:00.000Z' }
        keys[who] = as((await apiKeys.create(id, Number(rows[0].token_version), wanted))?.key ?? '')
      }
    })
    const DAY = '2026-06-01'
    const OWN = ['own advertiser', 'own staff'] as const
    const FOREIGN = ['foreign advertiser', 'foreign staff', 'foreign auditor'] as const

    it.each<readonly [method: string, path: string, body: object | undefined, code: number]>([
      ['GET', '/v1/campaign/:campaign', undefined, 130],
      ['GET', '/v1/campaign/:campaign/total', undefined, 130],
      ['POST', '/v1/campaign/report', { id: ':campaign', from_date: DAY, to_date: DAY }, 130],
      ['POST', '/v1/reports/total', { id: ':campaign', from_date: DAY, to_date: DAY }, 130],
      ['GET', '/v1/space/balance/:space', undefined, 110],
      ['POST', '/v1/space/:space/ledger', {}, 110],
      ['GET', '/v1/segment-audience/:audience', undefined, 180],
      ['POST', '/v1/events/list', { space_id: ':space' }, 1420],
      ['GET', '/v1/events/pixel-key?space_id=:space', undefined, 1420],
      ['PUT', '/v1/events/pixel-key', { space_id: ':space', enabled: true }, 1420],
      ['POST', '/v1/events', { space_id: ':space', events: [{ name: 'by key' }] }, 1420],
      ['PUT', '/v1/campaign', { id: ':campaign', budget: 77 }, 130],
    ])('API keys of users of another white-label are refused %s %s', async (method, path, body, code) => {
      const ids = { ':campaign': campaign, ':space': space, ':audience': members.split('/')[4] ?? '' }
      const filled = (text: string) => Object.entries(ids).reduce((all, [name, id]) => all.replaceAll(name, id), text)
      const codeFor = async (who: string) => {
        const sent: object | undefined = body === undefined ? undefined : JSON.parse(filled(JSON.stringify(body)))
        return (await keys[who]?.call(method, filled(path), sent))?.code
      }
      for (const who of OWN) expect([who, await codeFor(who)]).toEqual([who, 0])
      for (const who of FOREIGN) {
        const answered = await codeFor(who)
        // An auditor writes nothing anywhere.
        expect([who, who === 'foreign auditor' && answered === 3 ? code : answered]).toEqual([who, code])
      }
    })

    it('API keys of users of another white-label list no campaigns, audiences, events or accounts of it', async () => {
      const LISTS = ['/v1/campaign/list/v2', '/v1/segment-audience/list', '/v1/events/list']
      const listed = async (who: string) => {
        const answers = await Promise.all(LISTS.map(async (path) => keys[who]?.call('POST', path, {})))
        expect([who, answers.map((answer) => answer?.code)]).toEqual([who, [0, 0, 0]])
        return JSON.stringify(answers.map((answer) => answer?.data))
      }
      for (const who of OWN) expect(await listed(who)).toContain(campaign)
      for (const who of FOREIGN) {
        const text = await listed(who)
        for (const id of [campaign, creative, space]) expect([who, text.includes(id)]).toEqual([who, false])
      }
    })
  })

  // covers FP-68
  it('service credentials of another white-label are of every kind of which the product stores a secret', async () => {
    const { rows } = await product.database.pool.query<{ secret: string }>(
      `select table_name || '.' || column_name as secret from information_schema.columns
       where table_schema in ('app', 'identity') and (column_name in ('key', 'secret') or column_name ~ '(secret|token|code|key|password)_hash$')
       order by 1`,
    )
    // A new one is asked above, or stands here with the reason why it opens nothing of another white-label.
    expect(rows.map(({ secret }) => secret)).toEqual([
      'answers.key', // An idempotency key: the caller is another secret's.
      'api_keys.secret_hash', // Above.
      'audience_keys.key', // Hashes identifiers, above.
      'challenges.token_hash', // One sign-in of one person.
      'jobs.key', // Names a job.
      'log_keys.secret', // Signs heads of the transparency log.
      'mail_keys.key_hash', // One link of one person.
      'people.password_hash',
      'person_keys.key', // Encrypts personal data.
      'pixel_keys.key', // Above; adds events to one account.
      'recovery_codes.code_hash',
      'reservations.key', // A limit.
      'scim_tokens.secret_hash', // Users of one white-label: scim.spec.ts asks with that of another one.
      'second_factors.secret',
      'service_credentials.secret_hash', // Above.
      'sessions.token_hash',
      'sign_on_codes.code_hash', // One sign-in of one person at a provider, on the host of its white-label.
      'signing_keys.key', // Signs access tokens: the access matrix asks those.
    ])
    expect(createCredential.input.shape.kind.options).toEqual(['exchange', 'bidder'])
  })
})
