import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Webhook } from '#contract/audit-webhooks'
import { isVerified, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'
import { eventually, publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Created = { readonly webhook: Webhook; readonly secret: string }
type Positions = {
  readonly entries: readonly { readonly position: string }[]
  readonly next: string | null
  readonly head: string
}

let product: TestProduct
let ada: Session
let owner: Session
let auditor: Session
let admin: Session
let campaign: string

beforeAll(async () => {
  product = await startTestProduct({ PLACARD_WEBHOOK_PRIVATE: 'true' })
  ;[ada, owner, auditor, admin] = (await Promise.all(
    ['ada@nile', 'owner@dsp', 'auditor@dsp', 'admin@dsp'].map((name) => product.as(`${name}.example`)),
  )) as [Session, Session, Session, Session]
  campaign = (await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))).data.id
})
afterAll(() => product.stop())

async function receiver(): Promise<WebhookReceiver> {
  const started = await startWebhookReceiver()
  onTestFinished(() => started.stop())
  return started
}

async function hook(url: string, over: object = {}, as: Session = owner): Promise<Created> {
  const { data, code } = await as.call<Created>('POST', '/v1/audit/webhooks', { url, filter: { subject: campaign }, ...over })
  expect(code).toBe(0)
  onTestFinished(async () => void (await as.call('DELETE', `/v1/audit/webhooks/${data.webhook.id}`)))
  return data
}

const shown = async (id: string): Promise<Webhook | undefined> =>
  (await auditor.call<{ webhooks: readonly Webhook[] }>('GET', '/v1/audit/webhooks')).data.webhooks.find((one) => one.id === id)

let budget = 100
const save = async (): Promise<void> => {
  budget += 1
  expect((await ada.call('PUT', '/v1/campaign', { id: campaign, budget })).code).toBe(0)
}

/** Positions of the feed by a filter, after a position. */
async function feed(query: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { data } = await auditor.call<Positions>('GET', `/v1/audit/feed?${new URLSearchParams({ limit: '1000', ...query })}`)
  return data.entries.map(({ position }) => position)
}
const ofCampaign = (after = '0') => feed({ kind: 'campaign', subject: campaign, after })

describe('webhooks of the audit feed', () => {
  it('webhooks of the audit feed deliver every entry of the feed once, in order, each message signed', async () => {
    const to = await receiver()
    const { webhook, secret } = await hook(to.url, { after: '0', filter: { kind: 'campaign' } })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    for (let n = 0; n < 3; n++) await save()
    const expected = await feed({ kind: 'campaign' })
    await eventually(
      async () => to.taken(),
      (taken) => taken.length >= expected.length,
    )
    expect(to.taken().slice(0, expected.length)).toEqual(expected)
    expect(expected.length).toBeGreaterThan(100)
    expect(to.received.every((message) => isVerified(message, secret) && message.type === 'audit.entries')).toBe(true)
    expect(new Set(to.received.map(({ id }) => id)).size).toBe(to.received.length)
    const tampered = { ...(to.received[0] ?? { headers: {}, id: '', type: '', positions: [], status: 0 }), text: '{}' }
    expect(isVerified(tampered, secret)).toBe(false)
    await eventually(
      () => shown(webhook.id),
      (found) => found?.status === 'active' && found.delivered_at !== null,
    )
  })

  it('webhooks of the audit feed repeat a message that was not taken with the same id and events, and lose nothing', async () => {
    const to = await receiver()
    to.answers({ status: 500 })
    const { webhook } = await hook(to.url)
    await save()
    await eventually(
      async () => to.received.length,
      (count) => count >= 1,
    )
    const failing = await eventually(
      () => shown(webhook.id),
      (found) => found?.status === 'failing',
    )
    expect(failing).toMatchObject({ last_error: 'The receiver answered 500', delivered_at: null })
    expect(Date.parse(failing?.next_attempt_at ?? '')).toBeGreaterThan(Date.now() - 5000)
    // More comes while the first message waits: it stays as it is.
    await save()
    const seen = to.received.length
    to.answers({ hangsUp: true })
    await eventually(
      async () => to.received.length,
      (count) => count > seen,
    )
    to.answers({})
    await eventually(
      async () => to.taken().length,
      (count) => count >= 2,
    )
    const first = to.received.filter(({ id }) => id === to.received[0]?.id)
    expect(first.length).toBeGreaterThan(2)
    expect(new Set(first.map(({ text }) => text)).size).toBe(1)
    expect(to.taken()).toEqual(await ofCampaign(webhook.delivered_position))
    await eventually(
      () => shown(webhook.id),
      (found) => found?.status === 'active' && found.last_error === null && found.failing_since === null,
    )
  })

  it('webhooks of the audit feed follow no redirect', async () => {
    const [to, elsewhere] = [await receiver(), await receiver()]
    to.answers({ status: 302, location: elsewhere.url })
    const { webhook } = await hook(to.url)
    await save()
    const failing = await eventually(
      () => shown(webhook.id),
      (found) => found?.status === 'failing',
    )
    expect(failing?.last_error).toBe('The receiver answered 302')
    expect(elsewhere.received).toEqual([])
  })

  it('webhooks of the audit feed sign with the old secret too while a rotation overlaps', async () => {
    const to = await receiver()
    const { webhook, secret } = await hook(to.url)
    const path = `/v1/audit/webhooks/${webhook.id}`
    const rotate = async (body: object) =>
      (await owner.call<{ secret: string; previous_secret_until: string | null }>('POST', `${path}/secret`, body)).data
    const second = await rotate({})
    expect(Date.parse(second.previous_secret_until ?? '') - Date.now()).toBeGreaterThan(23 * 3_600_000)
    await save()
    const newest = () =>
      eventually(
        async () => to.received.at(-1),
        (message) => message !== undefined,
      )
    const both = await newest()
    expect(String(both?.headers['webhook-signature']).split(' ')).toHaveLength(2)
    expect(both !== undefined && isVerified(both, secret) && isVerified(both, second.secret)).toBe(true)
    const third = await rotate({ overlap_hours: 0 })
    expect(third.previous_secret_until).toBeNull()
    await save()
    await eventually(
      async () => to.received.length,
      (count) => count >= 2,
    )
    const last = await newest()
    expect(last !== undefined && isVerified(last, third.secret)).toBe(true)
    expect(last !== undefined && isVerified(last, second.secret)).toBe(false)
    // No answer shows a secret again.
    const listed = JSON.stringify((await owner.call('GET', '/v1/audit/webhooks')).data)
    expect([secret, second.secret, third.secret].filter((one) => listed.includes(one))).toEqual([])
    const { rows } = await product.database.pool.query<{ text: string }>('select w::text as text from app.audit_webhooks w')
    expect(rows.some(({ text }) => text.includes(third.secret.slice(6)))).toBe(false)
  })

  it('webhooks of the audit feed replay everything after a position under new ids', async () => {
    const to = await receiver()
    const { webhook } = await hook(to.url)
    await save()
    await eventually(
      async () => to.taken().length,
      (count) => count >= 1,
    )
    const before = to.received.length
    const answer = await owner.call<{ webhook: Webhook }>('POST', `/v1/audit/webhooks/${webhook.id}/replay`, { after: '0' })
    expect(answer.data.webhook).toMatchObject({ delivered_position: '0' })
    const all = await ofCampaign()
    await eventually(
      async () => to.received.slice(before).flatMap(({ positions }) => positions).length,
      (count) => count >= all.length,
    )
    expect(to.received.slice(before).flatMap(({ positions }) => positions)).toEqual(all)
    const ids = to.received.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const late = await owner.call('POST', `/v1/audit/webhooks/${webhook.id}/replay`, { after: '99999999999' })
    expect(late.code).toBe(2)
  })

  it('a replay during a delivery is not undone by it', async () => {
    const to = await receiver()
    to.answers({ afterMs: 1500 })
    const { webhook } = await hook(to.url)
    await save()
    await eventually(
      () => product.database.pool.query('select 1 from app.audit_webhooks where id = $1 and pending is not null', [webhook.id]),
      ({ rows }) => rows.length === 1,
    )
    await owner.call('POST', `/v1/audit/webhooks/${webhook.id}/replay`, { after: '0' })
    to.answers({})
    const all = await ofCampaign()
    const since = () => to.taken().slice(to.taken().indexOf(all[0] ?? ''))
    await eventually(
      async () => to.taken().includes(all[0] ?? '') && since().length >= all.length,
      (done) => done,
    )
    expect(new Set(since())).toEqual(new Set(all))
  })

  it('a slow receiver delays no other', async () => {
    const [slow, fast] = [await receiver(), await receiver()]
    slow.answers({ afterMs: 8000 })
    await hook(slow.url)
    await hook(fast.url)
    await save()
    const start = performance.now()
    await eventually(
      async () => fast.taken().length,
      (count) => count >= 1,
    )
    await save()
    await eventually(
      async () => fast.taken().length,
      (count) => count >= 2,
    )
    expect([slow.taken(), performance.now() - start < 8000]).toEqual([[], true])
  })

  it('webhooks of the audit feed are parked when they fail for days, and go on once they are enabled again', async () => {
    const to = await receiver()
    to.answers({ status: 503 })
    const { webhook } = await hook(to.url)
    await save()
    await eventually(
      () => shown(webhook.id),
      (found) => found?.status === 'failing',
    )
    await product.database.pool.query(`update app.audit_webhooks set failing_since = now() - interval '4 days' where id = $1`, [
      webhook.id,
    ])
    const parked = await eventually(
      () => shown(webhook.id),
      (found) => found?.status === 'parked',
    )
    expect(parked).toMatchObject({ last_error: 'The receiver answered 503', next_attempt_at: null })
    expect(parked?.failing_since).not.toBeNull()
    const metrics = await (await fetch(`${product.base}/metrics`)).text()
    expect(metrics).toContain('placard_audit_webhooks{state="parked"} 1')
    to.answers({})
    const body = { url: to.url, filter: { subject: campaign }, enabled: true }
    expect((await owner.call('PUT', `/v1/audit/webhooks/${webhook.id}`, body)).code).toBe(0)
    const expected = await ofCampaign(webhook.delivered_position)
    await eventually(
      async () => to.taken().length,
      (count) => count >= expected.length,
    )
    expect(to.taken()).toEqual(expected)
  })

  it('webhooks of the audit feed are silent while they are switched off', async () => {
    const to = await receiver()
    const { webhook } = await hook(to.url)
    const body = { url: to.url, description: 'Archive', filter: { subject: campaign } }
    await owner.call('PUT', `/v1/audit/webhooks/${webhook.id}`, { ...body, enabled: false })
    await save()
    const other = await receiver()
    await hook(other.url)
    await save()
    await eventually(
      async () => other.taken().length,
      (count) => count >= 1,
    )
    expect(to.received).toEqual([])
    expect(await shown(webhook.id)).toMatchObject({ status: 'disabled', description: 'Archive' })
  })

  it('webhooks of the audit feed show what came of a test message', async () => {
    const to = await receiver()
    const { webhook, secret } = await hook(to.url)
    const test = async () => (await owner.call('POST', `/v1/audit/webhooks/${webhook.id}/test`, {})).data
    expect(await test()).toEqual({ delivered: true, status: 204, error: null })
    const [message] = to.received
    expect([message?.type, message !== undefined && isVerified(message, secret)]).toEqual(['audit.test', true])
    to.answers({ status: 401 })
    expect(await test()).toEqual({ delivered: false, status: 401, error: null })
    await to.stop()
    expect(await test()).toEqual({ delivered: false, status: null, error: 'The connection failed: ECONNREFUSED' })
  })

  it('webhooks of the audit feed keep each white-label to itself', async () => {
    const to = await receiver()
    const { webhook } = await hook(to.url, { whitelabel_id: 'ng', filter: {}, after: '0' }, admin)
    expect(webhook.whitelabel_id).toBe('ng')
    const own = await receiver()
    await hook(own.url)
    await save()
    await eventually(
      async () => own.taken().length,
      (count) => count >= 1,
    )
    const { data } = await admin.call<Positions>('GET', '/v1/audit/feed?whitelabel_id=ng')
    expect(to.taken()).toEqual(data.entries.map(({ position }) => position))
    const path = `/v1/audit/webhooks/${webhook.id}`
    const settings = { url: own.url, enabled: true }
    const answers = await Promise.all([
      owner.call('PUT', path, settings),
      owner.call('DELETE', path),
      owner.call('POST', `${path}/secret`, {}),
      owner.call('POST', `${path}/replay`, { after: '0' }),
      owner.call('POST', `${path}/test`, {}),
      owner.call('POST', '/v1/audit/webhooks', { url: own.url, whitelabel_id: 'ng' }),
      owner.call('GET', '/v1/audit/webhooks?whitelabel_id=ng'),
    ])
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 131))
    expect(await shown(webhook.id)).toBeUndefined()
    expect((await auditor.call('POST', '/v1/audit/webhooks', { url: own.url })).code).toBe(3)
    expect((await ada.call('GET', '/v1/audit/webhooks')).code).toBe(3)
    expect((await admin.call('POST', '/v1/audit/webhooks', { url: own.url, whitelabel_id: 'unheard' })).code).toBe(131)
  })

  it('a white-label has ten webhooks, however many are created at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 14 }, () =>
        admin.call<Created>('POST', '/v1/audit/webhooks', { url: 'https://hooks.example/', whitelabel_id: 'ng' }),
      ),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(10)
    for (const { code, data } of answers) if (code === 0) await admin.call('DELETE', `/v1/audit/webhooks/${data.webhook.id}`)
  })
})

describe('webhooks without private networks', () => {
  let walled: TestProduct
  beforeAll(async () => void (walled = await startTestProduct()), 120_000)
  afterAll(() => walled.stop())

  it('webhooks without private networks reach neither plain http nor this machine, by address or by name', async () => {
    const session = await walled.as('owner@dsp.example')
    const create = (url: string) => session.call<Created>('POST', '/v1/audit/webhooks', { url })
    const refused = [
      'http://hooks.example/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://169.254.169.254/',
      'https://0x7f.1/',
      'https://hooks.example:22/',
    ]
    for (const url of [...refused, 'https://a:b@hooks.example/', 'ftp://hooks.example/', 'hooks.example'])
      expect([url, (await create(url)).code]).toEqual([url, 2])
    const { data } = await create('https://localhost/')
    const test = await session.call('POST', `/v1/audit/webhooks/${data.webhook.id}/test`, {})
    const error = 'The name has no address on the public internet'
    expect(test.data).toEqual({ delivered: false, status: null, error })
  })
})
