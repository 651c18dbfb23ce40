import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccountCommands } from '#commands/account/account-commands'
import { createHandler } from '#commands/handle'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { derivedId, newId } from '#platform/ids'
import {
  eventually,
  publishable,
  startTestProduct,
  type Campaignish,
  type Session,
  type TestProduct,
} from '../support/product.ts'
import { testClock } from '../support/test-clock.ts'

describe('a campaign over HTTP', () => {
  let product: TestProduct
  let ada: Session
  let moderator: Session
  let owner: Session
  beforeAll(async () => {
    product = await startTestProduct()
    ;[ada, moderator, owner] = await Promise.all([
      product.as('ada@nile.example'),
      product.as('moderator@dsp.example'),
      product.as('owner@dsp.example'),
    ])
  })
  afterAll(() => product.stop())

  const create = async (over: Record<string, unknown> = {}) =>
    (await ada.call('POST', '/v1/campaign', await publishable(product.base, ada, over))).data
  const get = (id: string, session = ada) => session.call('GET', `/v1/campaign/${id}`)
  const running = async () => {
    const { id } = await create()
    const { data } = await ada.call('POST', '/v1/campaign/saveAndPublish', { id })
    await moderator.call('POST', '/v1/whitelabel/admin/campaign/approve', {
      campaign_id: id,
      moderation_start_at: data.moderation_start_at,
    })
    await eventually(
      () => get(id),
      (answer) => answer.data.status_key === 3,
    )
    return id
  }

  // covers FP-4
  it('a campaign over HTTP that was archived while it waited comes back by the toggle, and waits again as it was submitted', async () => {
    const { id } = await create()
    const before = await ada.call<Campaignish & { review: string }>('POST', '/v1/campaign/saveAndPublish', { id })
    expect((await ada.call('POST', '/v1/campaign/archive/toggle', id)).data.status_key).toBe(5)
    expect((await ada.call('POST', '/v1/campaign/archive/toggle', id)).data.status_key).toBe(0)
    const { data } = await ada.call<Campaignish & { review: string }>('POST', '/v1/campaign/saveAndPublish', { id })
    expect([data.status_key, data.review]).toEqual([1, 'pending'])
    expect(data.moderation_start_at > before.data.moderation_start_at).toBe(true)
  })

  it('passes from draft through moderation and exchanges to running, pauses and runs again, and logs every step', async () => {
    const { id, status_key } = await create()
    expect(status_key).toBe(0)
    const published = await ada.call('POST', '/v1/campaign/saveAndPublish', { id })
    expect(published.data.status_key).toBe(1)
    const approved = await moderator.call('POST', '/v1/whitelabel/admin/campaign/approve', {
      campaign_id: id,
      moderation_start_at: published.data.moderation_start_at,
    })
    expect(approved.data.status_key).toBe(6)
    expect(
      (
        await eventually(
          () => get(id),
          ({ data }) => data.status_key === 3,
        )
      ).data.status_reasons[0]?.key,
    ).toBe('running')
    expect((await ada.call('POST', '/v1/campaign/pause', id)).data.status_key).toBe(41)
    const run = await ada.call('POST', '/v1/campaign/run', id)
    expect(run.data.status_key).toBe(3)

    type Entry = {
      revision: number
      author: string
      events: string[]
      state_difference: { path: string }[]
      previous_state: unknown
      current_state: unknown
    }
    const log = await owner.call<{ total_size: number; data: Entry[] }>(
      'GET',
      `/v1/campaign/revision/snapshot/${id}?page-num=1&page-size=25`,
      undefined,
      {
        'x-position': run.data.position,
      },
    )
    expect(log.data.data.map(({ events }) => events[0])).toEqual([
      'CampaignSwitchedOn',
      'CampaignSwitchedOff',
      'ExchangeDecided',
      'CampaignApproved',
      'CampaignSubmitted',
      'CampaignCreated',
    ])
    expect(log.data.data.map(({ author }) => author)).toEqual([
      'Ada Hassan',
      'Ada Hassan',
      'Exchange',
      'Marek Novak',
      'Ada Hassan',
      'Ada Hassan',
    ])
    expect(log.data.data[1]?.state_difference.map(({ path }) => path)).toEqual(['status_key', 'intent'])
    for (const [i, entry] of log.data.data.entries())
      expect(entry.previous_state).toEqual(log.data.data[i + 1]?.current_state ?? null)
    const count = await owner.call<number>('GET', `/v1/campaign/revision/count/${id}`)
    expect(count.data).toBe(log.data.total_size)
    const verified = await owner.call<{ valid: boolean; faults: string[] }>('GET', `/v1/campaign/${id}/verify`)
    expect(verified.data).toMatchObject({ valid: true, faults: [] })
  })

  // covers FP-8
  it('serves the approved version while a reviewed change waits, and applies changes without review at once', async () => {
    const id = await running()
    const free = await ada.call('PUT', '/v1/campaign', { id, budget: 75 })
    expect(free.data).toMatchObject({ status_key: 3, need_moderation: false, budget: 75 })
    const reviewed = await ada.call('PUT', '/v1/campaign', { id, product_url: 'https://nile.example/other' })
    expect(reviewed.data).toMatchObject({ status_key: 3, need_moderation: true })
    const published = await ada.call<Campaignish & { review: string }>('POST', '/v1/campaign/saveAndPublish', { id })
    expect(published.data).toMatchObject({ status_key: 3, review: 'pending' })
    const rejected = await moderator.call('POST', '/v1/whitelabel/admin/campaign/reject', {
      campaign_id: id,
      comment: 'Landing page does not open',
      moderation_start_at: published.data.moderation_start_at,
    })
    expect(rejected.data.status_key).toBe(3)
    expect((await ada.call('POST', '/v1/campaign/saveAndPublish', { id })).code).toBe(139)
  })

  // covers FP-35
  it('answers a dry run with events, differences and the resulting status, and stores nothing', async () => {
    const { id, revision } = await create()
    const dry = await ada.call<{ events: unknown[]; diff: { path: string }[]; status_key: number; moderator_needed: boolean }>(
      'POST',
      '/v1/campaign/saveAndPublish?dry_run=true',
      { id, budget: 99 },
    )
    expect(dry.data).toMatchObject({ status_key: 1, moderator_needed: true })
    expect(dry.data.diff).toEqual([{ path: 'budget', from: 50, to: 99 }])
    expect((await get(id)).data).toMatchObject({ revision, status_key: 0 })
  })

  // covers FP-17
  it('repeats the answer for the same Idempotency-Key, and answers 141 for another body', async () => {
    const body = await publishable(product.base, ada)
    const key = { 'idempotency-key': 'one-campaign-only' }
    const first = await ada.call('POST', '/v1/campaign', body, key)
    const second = await ada.call('POST', '/v1/campaign', body, key)
    expect(second.data).toEqual(first.data)
    const other = await ada.call('POST', '/v1/campaign', { ...body, budget: 51 }, key)
    expect([other.status, other.code]).toEqual([409, 141])
    const [a, b] = await Promise.all(
      [1, 2].map(() => ada.call('POST', '/v1/campaign/archive/toggle', first.data.id, { 'idempotency-key': 'toggle-once' })),
    )
    expect(a?.data.status_key).toBe(5)
    expect(b?.data).toEqual(a?.data)
  })

  // covers FP-13
  it('restores an older revision as a new revision that equals it', async () => {
    const { id } = await create()
    await ada.call('PUT', '/v1/campaign', { id, budget: 60, product_url: 'https://nile.example/b' })
    await ada.call('PUT', '/v1/campaign', { id, budget: 70 })
    const restored = await ada.call<Campaignish & { kept: string[] }>('POST', `/v1/campaign/${id}/restore`, { revision: 1 })
    expect(restored.data).toMatchObject({ revision: 4, kept: [] })
    const diff = await owner.call<{ changes: unknown[] }>('GET', `/v1/campaign/${id}/diff?from=1&to=4`)
    expect(diff.data.changes).toEqual([])
    const at = await owner.call<{ state: { budget: number } }>('GET', `/v1/campaign/${id}/at?revision=2`)
    expect(at.data.state.budget).toBe(60)
  })

  it('requires a moderator only when a restore changes reviewed content', async () => {
    const { id } = await create()
    await owner.call('PUT', '/v1/campaign', { id, cpx: 0.5 })
    await ada.call('PUT', '/v1/campaign', { id, product_url: 'https://nile.example/b' })
    const trial = async (path: 'restore' | 'undo', revision: number) =>
      (await owner.call<{ moderator_needed: boolean }>('POST', `/v1/campaign/${id}/${path}?dry_run=true`, { revision })).data
    expect(await trial('undo', 2)).toMatchObject({ moderator_needed: false })
    expect(await trial('restore', 1)).toMatchObject({ moderator_needed: true })
  })

  // covers FP-13
  it('undoes one revision and keeps later ones, or names the conflicting revisions', async () => {
    const { id } = await create()
    await ada.call('PUT', '/v1/campaign', { id, budget: 60 })
    await ada.call('PUT', '/v1/campaign', { id, product_url: 'https://nile.example/c' })
    await ada.call('PUT', '/v1/campaign', { id, product_url: 'https://nile.example/d' })
    const conflict = await ada.call('POST', `/v1/campaign/${id}/undo`, { revision: 3 })
    expect(conflict.code).toBe(140)
    expect(conflict.data.errors.map(({ path }) => path)).toEqual(['revision.4'])
    expect((await ada.call('POST', `/v1/campaign/${id}/undo`, { revision: 2 })).code).toBe(0)
    expect((await get(id)).data.budget).toBe(50)
  })

  // covers FP-14
  it('copies a campaign under a new name that starts today', async () => {
    const source = await create()
    const copy = await ada.call<Campaignish & { replicated_from: string; campaign_start_at: string }>('POST', '/v1/campaign', {
      replicated_from: source.id,
    })
    expect(copy.data).toMatchObject({ name: `${source.name} - Copy`, status_key: 0, replicated_from: source.id, revision: 1 })
    expect(Date.parse(copy.data.campaign_start_at)).toBeLessThanOrEqual(testClock.now())
    const second = await ada.call('POST', '/v1/campaign', { replicated_from: source.id })
    expect(second.data.name).toBe(`${source.name} - Copy 2`)
  })

  // covers FP-29
  it('lets an owner add a banner to a campaign of an advertiser without switching, and logs both', async () => {
    const { id } = await create()
    const { visuals } = await publishable(product.base, owner)
    const saved = await owner.call('PUT', '/v1/campaign', { id, visuals })
    expect(saved.code).toBe(0)
    const events = await owner.call<{ metadata: string }[]>('GET', `/v1/campaign/${id}/events?from=2`)
    const metadata: { on_behalf_of: string | null; role: string } = JSON.parse(events.data.at(-1)?.metadata ?? '{}')
    expect(metadata).toMatchObject({ role: 'WL_OWNER', on_behalf_of: expect.any(String) })
  })

  it('lists and counts campaigns by name, status and page', async () => {
    const { name } = await create()
    type Page = { total_size: number; data: Campaignish[] }
    const found = await ada.call<Page>('POST', '/v1/campaign/list/v2', { name: name.toLowerCase(), status_filter: 'draft' })
    expect(found.data.data.map((row) => row.name)).toEqual([name])
    expect((await ada.call<Page>('POST', '/v1/campaign/list/v2', { status_filter: 50, pageSize: 5 })).data.data).toHaveLength(5)
    const unknown = await ada.call('POST', '/v1/campaign/list/v2', { status_filter: 'blooming' })
    expect([unknown.status, unknown.code]).toEqual([400, 133])
  })

  it('keeps an advertiser short of money at 45, and returns to running without a command once there is money', async () => {
    const bola = await product.as('bola@lagos.example')
    const body = await publishable(product.base, bola, { country: 'NG', budget: 5000 })
    const { data } = await bola.call('POST', '/v1/campaign/saveAndPublish', body)
    await moderator.call('POST', '/v1/whitelabel/admin/campaign/approve', {
      campaign_id: data.id,
      moderation_start_at: data.moderation_start_at,
    })
    const short = await eventually(
      () => bola.call<Campaignish & { space_id: string }>('GET', `/v1/campaign/${data.id}`),
      (answer) => answer.data.status_key === 45,
    )
    expect(short.data.status_reasons[0]).toMatchObject({ key: 'funding_short', remedy: 'top_up' })
    expect((await bola.call('POST', '/v1/campaign/run', data.id)).data.status_key).toBe(45)

    // Sweeps that found nothing have no reason to scan again.
    await product.swept()
    await credit(short.data.space_id, 10_000_000_000)
    const mended = await eventually(
      () => bola.call('GET', `/v1/campaign/${data.id}`),
      (answer) => answer.data.status_key === 3,
    )
    expect(mended.data.status_key).toBe(3)
  })

  /** Micros credited by another process, as by a payment service. */
  async function credit(spaceId: string, amount: number): Promise<void> {
    const { pool, url } = product.database
    const store = createPostgresEventStore({ pool, url })
    const eventId = (commandId: string, n: number) => derivedId('event', commandId, String(n))
    const accounts = createAccountCommands(createHandler({ store, now: testClock.at, eventId }))
    const id = newId()
    const who = { actor: 'system:payments', role: 'SYSTEM', on_behalf_of: null, source: 'import', causation: null } as const
    const context = { ...who, command_id: id, correlation: id, body_hash: null }
    try {
      const paid = await accounts.execute(spaceId, context, { type: 'CreditFunds', amount, reason: 'top-up' })
      expect(paid.kind).toBe('done')
    } finally {
      await store.close()
    }
  }
})
