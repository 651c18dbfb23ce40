import dns from 'node:dns'
import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ReviewFindings } from '#contract/review-findings'
import { eventually, publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

const reason = (topic: string, active = true) => ({
  topic,
  active,
  title: { en: topic, ru: topic },
  text: { en: `${topic}.`, ru: `${topic}.` },
})

/** Fine print 104. */
describe('findings of simple checks', () => {
  let product: TestProduct
  let ada: Session
  let owner: Session
  let moderator: Session
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_EXCHANGE_REVIEW: 'external' })
    ;[ada, owner, moderator] = (await Promise.all(
      ['ada@nile', 'owner@dsp', 'moderator@dsp'].map((name) => product.as(`${name}.example`)),
    )) as [Session, Session, Session]
    const whitelabel_settings = {
      banned_words: ['vodka', ' Водка ', 'VODKA'],
      reject_reasons: [reason('Banned words', false), reason('Drugs'), reason('banned words')],
    }
    const saved = await owner.call<{ whitelabel_settings: { banned_words: readonly string[] } }>('PUT', '/v1/whitelabel/dsp', {
      whitelabel_settings,
    })
    expect([saved.code, saved.data.whitelabel_settings.banned_words]).toEqual([0, ['vodka', 'Водка']])
  })
  afterAll(() => product.stop())

  const submitted = async (over: Record<string, unknown> = {}) =>
    (await ada.call('POST', '/v1/campaign/saveAndPublish', await publishable(product.base, ada, over))).data
  const findings = async (id: string, position = '0', session = moderator) =>
    session.call<ReviewFindings>('GET', `/v1/whitelabel/admin/moderation/findings/${id}`, undefined, { 'x-position': position })

  // covers FP-104
  it('findings of simple checks name the check, its policy, the place and the value, and the canned reasons that fit', async () => {
    const { id, position } = await submitted({
      product_url: 'http://nile.example',
      native_ad: { headline: 'Лучшая ВОДКА', body: 'Fresh', advertiser: 'Nile', images: [] },
    })
    const found = await eventually(
      () => findings(id, position),
      ({ data }) => data.findings.length > 1,
    )
    expect(found.data).toMatchObject({
      total: 3,
      findings: [
        { check: 'not_https', topic: 'addresses', path: 'product_url', value: 'http://nile.example' },
        { check: 'not_https', topic: 'addresses', path: 'bidding_strategy.click_url', value: 'http://nile.example' },
        { check: 'banned_word', topic: 'words', path: 'native_ad.headline', value: 'Водка' },
      ],
      // Among the offered reasons: the inactive one has no place.
      reasons: [1],
    })
  })

  // covers FP-104
  it('simple checks find nothing in a plain campaign, and decide nothing', async () => {
    const { id, position } = await submitted()
    // The operator did not switch checks of addresses on: that of this campaign leads nowhere.
    expect((await findings(id, position)).data).toMatchObject({ total: 0, checking: false, findings: [], reasons: [] })
    expect((await owner.call<{ status_key: number }>('GET', `/v1/campaign/${id}`)).data.status_key).toBe(1)
  })

  it('findings of simple checks of owner fields are shown to those who may read them', async () => {
    const { id } = await submitted()
    const saved = await owner.call<{ position: string }>('POST', `/v1/campaign/admin/${id}`, {
      custom_html: '<script src="http://cdn.example/a.js"></script>',
    })
    expect(saved.code).toBe(0)
    const { data } = await findings(id, saved.data.position)
    expect(data.findings.map(({ path, value }) => [path, value])).toEqual([['custom_html', 'http://cdn.example/a.js']])
    // An accountant who may moderate reads no owner fields.
    const accountant = await product.as('accountant@dsp.example')
    const idOf = async (session: Session, key: 'id' | 'home_space_id') =>
      (await session.call<{ id: string; home_space_id: string }>('GET', '/v1/user/me')).data[key]
    const [house, person] = [await idOf(owner, 'home_space_id'), await idOf(accountant, 'id')]
    const until = new Date(Date.now() + 86_400_000).toISOString()
    const granted = await owner.call('POST', `/v1/space/${house}/team/${person}/rights`, { right: 'campaign.moderate', until })
    expect(granted.code).toBe(0)
    const own = await eventually(
      () => findings(id, saved.data.position, accountant),
      ({ code }) => code === 0,
    )
    expect(own.data).toMatchObject({ total: 0, findings: [] })
  })

  it('findings of simple checks are refused to advertisers', async () => {
    const { id } = await submitted()
    expect((await findings(id, '0', ada)).code).toBe(3)
  })
})

/** A campaign has no address of a private network, but names may resolve to one. */
const HOST = 'shop.nile.example'

/** Fine print 108. */
describe('click addresses of a submission', () => {
  const calls = new Map<string, number>()
  const site = createServer(({ url = '', headers }, response) => {
    calls.set(url, (calls.get(url) ?? 0) + 1)
    expect(headers['user-agent']).toContain('Placard')
    if (url === '/moved') response.writeHead(302, { location: '/gone' }).end()
    else response.writeHead(url === '/gone' ? 410 : 200).end('x'.repeat(2 ** 20))
  })
  let base = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    base = `http://${HOST}:${(site.address() as AddressInfo).port}`
    const { lookup } = dns
    const resolve = (hostname: string, ...rest: unknown[]) =>
      (lookup as (...all: unknown[]) => void)(hostname === HOST ? '127.0.0.1' : hostname, ...rest)
    vi.spyOn(dns, 'lookup').mockImplementation(resolve)
    syncBuiltinESMExports()
  })
  afterAll(() => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
    site.close()
  })

  const start = (setting: string) => startTestProduct({ PLACARD_EXCHANGE_REVIEW: 'external', PLACARD_CHECK_ADDRESSES: setting })
  let any: TestProduct
  beforeAll(async () => {
    any = await start('any')
  })
  afterAll(() => any.stop())

  /** The findings in a submission, when its addresses are checked; `first` are the answers to 30 who ask at once. */
  async function findingsOf(product: TestProduct, address: string) {
    const [ada, moderator] = await Promise.all([product.as('ada@nile.example'), product.as('moderator@dsp.example')])
    const body = await publishable(product.base, ada, { product_url: address })
    const saved = await ada.call('POST', '/v1/campaign/saveAndPublish', body)
    expect(saved.code).toBe(0)
    const path = `/v1/whitelabel/admin/moderation/findings/${saved.data.id}`
    const ask = () => moderator.call<ReviewFindings>('GET', path, undefined, { 'x-position': saved.data.position })
    const first = await Promise.all(Array.from({ length: 30 }, ask))
    const { data } = await eventually(ask, (answer) => answer.code === 0 && !answer.data.checking)
    return { first: first.map((answer) => answer.data.checking), data }
  }
  const dead = ({ findings }: ReviewFindings) =>
    findings.filter(({ check }) => check === 'dead_address').map(({ path, fault }) => [path, fault])

  // covers FP-108
  it('click addresses of a submission are followed to the page, once for 30 who ask, and a page that is gone is a finding', async () => {
    const { first, data } = await findingsOf(any, `${base}/moved`)
    expect(first).toContain(true)
    expect(dead(data)).toEqual([
      ['product_url', 'not_found'],
      ['bidding_strategy.click_url', 'not_found'],
    ])
    // One check of an address that two places have, and its second try.
    expect([calls.get('/moved'), calls.get('/gone')]).toEqual([2, 2])
  })

  // covers FP-108
  it('click addresses of a submission are no finding where a page answers, and its body is not read', async () => {
    const { data } = await findingsOf(any, `${base}/tea`)
    expect([dead(data), calls.get('/tea')]).toEqual([[], 1])
  })

  // covers FP-108
  it('click addresses of a submission whose name leads to a private network are a finding, as of a name that does not exist', async () => {
    const product = await start('public')
    const { data } = await findingsOf(product, `http://${HOST}/private`)
    await product.stop()
    expect(dead(data)[0]).toEqual(['product_url', 'no_name'])
  })
})
