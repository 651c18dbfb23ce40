import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { someEvent } from '../support/events.ts'
import { mp3 } from '../support/media/mp3.ts'
import {
  eventually,
  png,
  publishable,
  sendFile,
  startTestProduct,
  upload,
  type Campaignish,
  type Session,
  type TestProduct,
} from '../support/product.ts'

type Listed = {
  readonly file_id: string
  readonly file_url: string
  readonly name: string
  readonly kind: string
  readonly width: number | null
  readonly height: number | null
  readonly campaigns: number
  readonly used_at: string
  readonly reviewed: boolean
}
type Page = { readonly files: readonly Listed[]; readonly next: string | null }

const opened = (data: object) =>
  someEvent({
    type: 'AccountOpened',
    data: JSON.stringify(data),
    metadata: JSON.stringify({
      actor: 'system:test',
      role: 'SYSTEM',
      on_behalf_of: null,
      source: 'policy',
      at: '2026-03-01T00:00:00.000Z',
      revision: 1,
      index: 0,
      hash: 'h',
    }),
  })

describe('the library of an account', () => {
  let product: TestProduct
  let ada: Session
  let bola: Session
  let owner: Session
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_EXCHANGE_REVIEW: 'external' })
    ;[ada, bola, owner] = await Promise.all([
      product.as('ada@nile.example'),
      product.as('bola@lagos.example'),
      product.as('owner@dsp.example'),
    ])
  })
  afterAll(() => product.stop())

  const list = async (session: Session, query: Record<string, string>) =>
    session.call<Page>('GET', `/v1/file/library?${new URLSearchParams(query).toString()}`)
  const filesOf = async (session: Session, query: Record<string, string>) => (await list(session, query)).data.files
  const banner = async (name: string, width = 300, height = 250, session = ada) =>
    (await upload(product.base, session.token, await png(width, height), width, height, name)).data as {
      file_id: string
      file_url: string
    }
  const withBanners = (files: readonly { file_id: string; width?: number; height?: number }[]) => ({
    visuals: {
      banners: files.map(({ file_id, width = 300, height = 250 }, n) => ({
        width,
        height,
        file_id,
        creative_name: `banner_${n}`,
      })),
    },
  })
  let made = 0
  const saved = async (content: object, session = ada) => {
    made += 1
    const body = { name: `Library ${made}`, country: 'EG', budget: 50, bidding_strategy: { type: 'awareness' }, ...content }
    const answer = await session.call('POST', '/v1/campaign', body)
    expect(answer.data.errors ?? []).toEqual([])
    return answer.data
  }
  const until = (query: Record<string, string>, satisfied: (files: readonly Listed[]) => boolean, session = ada) =>
    eventually(() => filesOf(session, query), satisfied)

  // covers FP-106
  it('the library of an account has each file once, with the number of campaigns that use it, the last used first', async () => {
    const [one, two] = [await banner('twice used.png'), await banner('once used.png')]
    await saved(withBanners([one, two]))
    await saved(withBanners([one]))
    const found = await until({ name: 'used.png' }, (files) => files[0]?.campaigns === 2)
    expect(found).toMatchObject([
      { file_id: one.file_id, name: 'twice used.png', kind: 'image', width: 300, height: 250, campaigns: 2, reviewed: false },
      { file_id: two.file_id, name: 'once used.png', campaigns: 1 },
    ])
    // Files without a review are shown by a signed address.
    expect((await fetch(product.base + (found[0]?.file_url ?? ''))).status).toBe(200)
  })

  it('does not have files that no campaign uses, or that a save took out', async () => {
    const [kept, out] = [await banner('kept out.png'), await banner('taken out.png')]
    await banner('never out.png')
    const campaign = await saved(withBanners([kept, out]))
    await until({ name: 'out.png' }, (files) => files.length === 2)
    await ada.call('PUT', '/v1/campaign', { id: campaign.id, ...withBanners([kept]) })
    const found = await until({ name: 'out.png' }, (files) => files.length === 1)
    expect(found[0]?.file_id).toBe(kept.file_id)
  })

  // covers FP-106
  it('finds files by a part of the name in any case, by kind, by size and by the place that they fit', async () => {
    const [wide, box] = [await banner('Filter wide.png', 728, 90), await banner('Filter box.png')]
    const icon = await sendFile(product.base, ada.token, '/v1/file/native', await png(128, 128), 'Filter icon.png')
    const track = await sendFile(product.base, ada.token, '/v1/file/audio', mp3({ seconds: 20 }), 'Filter spot.mp3')
    await saved({
      ...withBanners([{ ...wide, width: 728, height: 90 }, box]),
      native_ad: { logo: { width: 128, height: 128, file_id: icon.data.file_id } },
    })
    await saved({
      bidding_strategy: { type: 'other', goal: 'AUDIO_ADVERTISING' },
      audio_ads: [{ fileId: track.data.file_id, name: 'spot' }],
    })
    await until({ name: 'filter' }, (files) => files.length === 4)
    const names = async (query: Record<string, string>) =>
      (await filesOf(ada, { name: 'FILTER', ...query })).map(({ name }) => name.replace(/^Filter |\..*$/g, '')).toSorted()
    expect(await names({ kind: 'audio' })).toEqual(['spot'])
    expect(await names({ width: '728', height: '90' })).toEqual(['wide'])
    expect(await names({ role: 'banner' })).toEqual(['box', 'wide'])
    expect(await names({ role: 'companion' })).toEqual(['box'])
    expect(await names({ role: 'nativeLogo' })).toEqual(['icon'])
    expect(await names({ role: 'dynamicLogo' })).toEqual(['icon'])
    expect(await names({ role: 'track' })).toEqual(['spot'])
    expect(await names({ role: 'video' })).toEqual([])
    expect(await filesOf(ada, { name: '%' })).toEqual([])
  })

  // covers FP-106
  it('shows no file twice and misses none of the others while one is used meanwhile', async () => {
    const files = []
    for (const n of [1, 2, 3, 4, 5]) {
      const file = await banner(`paged ${n}.png`)
      await saved(withBanners([file]))
      files.push(file)
    }
    await until({ name: 'paged' }, (found) => found.length === 5)
    const query = { name: 'paged', page_size: '2' }
    const first = (await list(ada, query)).data
    expect(first.files.map(({ name }) => name)).toEqual(['paged 5.png', 'paged 4.png'])
    // One that was on the first page, and a new one.
    const added = await banner('paged 6.png')
    await saved(withBanners([added, { file_id: files[3]?.file_id ?? '' }]))
    await until({ name: 'paged' }, (found) => found.length === 6)
    const second = (await list(ada, { ...query, after: first.next ?? '' })).data
    const third = (await list(ada, { ...query, after: second.next ?? '' })).data
    expect([...second.files, ...third.files].map(({ name }) => name)).toEqual(['paged 3.png', 'paged 2.png', 'paged 1.png'])
    expect(third.next).toBeNull()
  })

  // covers FP-106
  it('the library of an account is only of the own account: another one and another white-label are refused with 1420', async () => {
    const own = await banner('private.png')
    const campaign = await saved(withBanners([own]))
    await until({ name: 'private' }, (files) => files.length === 1)
    expect(await filesOf(bola, { name: 'private' })).toEqual([])
    const { rows } = await product.database.pool.query<{ space_id: string; whitelabel_id: string }>(
      'select space_id, whitelabel_id from rm_campaign_list where id = $1',
      [campaign.id],
    )
    const space = rows[0]?.space_id ?? ''
    expect((await list(bola, { space_id: space })).code).toBe(1420)
    expect((await list(owner, { space_id: space, name: 'private' })).data.files).toHaveLength(1)
    // An account of another white-label.
    const store = createPostgresEventStore(product.database)
    const account = { space_id: 'ng-space', whitelabel_id: 'ng', name: 'Ng Foods', currency: 'USD', house: false }
    await store.append({ stream: 'account-ng-space', expected: 0, events: [opened(account)] })
    await store.close()
    const admin = await product.as('admin@dsp.example')
    await eventually(
      () => list(admin, { space_id: 'ng-space' }),
      ({ code }) => code === 0,
    )
    expect((await list(owner, { space_id: 'ng-space' })).code).toBe(1420)
  })

  it('does not offer files whose records are gone', async () => {
    const gone = await banner('erased.png')
    await saved(withBanners([gone]))
    await until({ name: 'erased' }, (files) => files.length === 1)
    await product.database.pool.query('delete from app.files where id = $1', [gone.file_id])
    expect(await filesOf(ada, { name: 'erased' })).toEqual([])
  })

  // covers FP-106
  it('gives files that another campaign of the account can be published with, and says when a review approved one', async () => {
    const body = await publishable(product.base, ada)
    const [used] = (body.visuals as { banners: readonly { file_id: string }[] }).banners
    const created = await ada.call('POST', '/v1/campaign', body)
    const campaign = await ada.call<Campaignish>('POST', '/v1/campaign/saveAndPublish', { id: created.data.id })
    const approver = await product.as('moderator@dsp.example')
    expect(campaign.data.errors ?? []).toEqual([])
    const approved = await approver.call('POST', '/v1/whitelabel/admin/campaign/approve', {
      campaign_id: campaign.data.id,
      moderation_start_at: campaign.data.moderation_start_at,
    })
    expect(approved.code).toBe(0)
    const mine = (files: readonly Listed[]) => files.find(({ file_id }) => file_id === used?.file_id)
    const found = await until({ page_size: '100' }, (files) => mine(files)?.reviewed === true)
    const again = await ada.call('POST', '/v1/campaign/saveAndPublish', {
      ...(await publishable(product.base, ada)),
      ...withBanners([{ file_id: mine(found)?.file_id ?? '' }]),
    })
    expect(again.code).toBe(0)
  })
})
