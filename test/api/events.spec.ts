import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#platform/ids'
import { DELIVERED, deliveryIn, hour, SERVICE } from '../support/delivery.ts'
import { publishable, sessionOf, startTestProduct, type Session, type TestProduct } from '../support/product.ts'
import { insertRows } from '../support/rows.ts'
import { testClock } from '../support/test-clock.ts'
import { IPHONE, lately, trackingIn } from '../support/tracking.ts'

const ago = (ms: number) => testClock.at(-ms)
describe('events', () => {
  let product: TestProduct
  let ada: Session
  let space = ''
  let running: Awaited<ReturnType<typeof deliveryIn>>['running']
  /** Reports a click of a campaign. */
  let click: (id: string) => Promise<void>
  let of: ReturnType<typeof trackingIn>

  beforeAll(async () => {
    product = await startTestProduct(DELIVERED)
    const delivery = await deliveryIn(product)
    ;({ ada, running, space } = delivery)
    click = async (id) => {
      const row = { hour: hour(), campaign_id: id, impressions: 1, clicks: 1, spent: 0 }
      expect((await delivery.send(newId(), [row])).code).toBe(0)
    }
    of = trackingIn(product, ada)
  })
  afterAll(() => product.stop())

  const named = async (name: string) => (await of.list({ name })).data
  /** The landing page with the campaign's tags, as a bidder fills them in. */
  const landing = (tags: Record<string, string>) => `https://nile.example/landing?${String(new URLSearchParams(tags))}`

  describe('events by the server', () => {
    // covers EVT-02
    it('stores events of an account, and lists them with every field, newest first', async () => {
      const name = `signup ${newId()}`
      const time = ago(60_000)
      const sent = {
        name,
        id: newId(),
        time,
        value: 12.5,
        url: 'https://nile.example/thanks?order=7',
        user_agent: IPHONE,
        custom_parameters: { plan: 'gold' },
      }
      expect(await of.send([sent, { name, id: newId(), device_model: 'Pixel 9' }])).toMatchObject({
        code: 0,
        data: { accepted: 2, repeated: 0 },
      })
      expect(await named(name)).toMatchObject([
        { name, value: null, device_model: 'Pixel 9', url: null, custom_parameters: {}, attributed: false, conversion: false },
        {
          name,
          time,
          value: 12.5,
          device_model: 'iPhone',
          url: 'https://nile.example/thanks?order=7',
          custom_parameters: { plan: 'gold' },
          campaign_id: null,
        },
      ])
      const { names } = (await ada.call<{ names: string[] }>('GET', '/v1/events/names')).data
      expect(names).toContain(name)
    })

    it('stores an event id once in an account, also when calls race', async () => {
      const name = `race ${newId()}`
      const batch = [newId(), newId(), newId()].map((id) => ({ name, id }))
      const answers = await Promise.all([1, 2, 3, 4].map((n) => of.send(n % 2 === 0 ? batch : batch.toReversed())))
      expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0])
      expect(answers.reduce((sum, { data }) => sum + data.accepted, 0)).toBe(3)
      expect(answers.reduce((sum, { data }) => sum + data.repeated, 0)).toBe(9)
      expect(await named(name)).toHaveLength(3)
      const [first] = batch
      expect((await of.send([first, first])).data).toMatchObject({ accepted: 0, repeated: 2 })
    })

    it('takes the id of one account in another one as new', async () => {
      const id = newId()
      const bola = trackingIn(product, await product.as('bola@lagos.example'))
      expect((await of.send([{ name: 'same id', id }])).data.accepted).toBe(1)
      expect((await bola.send([{ name: 'same id', id }])).data.accepted).toBe(1)
      expect(await named('same id')).toHaveLength(1)
      expect((await bola.list({ name: 'same id' })).total_size).toBe(1)
    })

    it('refuses the whole call for a wrong event, whether the contract or the rule refuses it', async () => {
      const name = `whole ${newId()}`
      for (const [wrong, path] of [
        [{ name: '' }, 'name'],
        [{ name, url: 'http://[' }, 'url'],
      ] as const) {
        const refused = await of.send([{ name }, wrong])
        expect(refused).toMatchObject({ status: 400, code: 2, data: { errors: [{ path: `events[1].${path}` }] } })
      }
      expect(await named(name)).toEqual([])
    })

    it('refuses a call that names more than a thousand campaigns', async () => {
      const id = await running({ attribution_tags: 'cid={CID}' })
      const { pool } = product.database
      const copies = Array.from({ length: 1000 }, (_, n) => ({ id: `copy-${n}`, name: `Copy ${n}` }))
      const page = (at: number) => Array.from({ length: 50 }, (_, n) => `p${n}=copy-${50 * at + n}`).join('&')
      const events = Array.from({ length: 20 }, (_, n) => ({ name: 'thousand', url: `https://nile.example/?${page(n)}` }))
      try {
        for (const table of ['rm_campaign_list', 'rm_campaign_states']) await insertRows(pool, table, copies, `id = '${id}'`)
        expect(await of.send(events)).toMatchObject({ code: 0, data: { accepted: 20 } })
        const more = await of.send([...events, { name: 'thousand', campaign_id: id }])
        expect(more).toMatchObject({ status: 400, code: 2, data: { errors: [{ path: 'events' }] } })
      } finally {
        for (const table of ['rm_campaign_states', 'rm_campaign_list'])
          await pool.query(`delete from ${table} where id like 'copy-%'`)
      }
    })

    it('takes events of a service with the account they belong to, and refuses them without one or with an unknown one', async () => {
      const service = sessionOf(product.base, SERVICE)
      const name = `service ${newId()}`
      const events = [{ name }]
      expect(await service.call('POST', '/v1/events', { events })).toMatchObject({ status: 400, code: 2 })
      expect(await service.call('POST', '/v1/events', { space_id: newId(), events })).toMatchObject({ code: 1420 })
      expect(await service.call('POST', '/v1/events', { space_id: space, events })).toMatchObject({ code: 0 })
      expect(await named(name)).toHaveLength(1)
    })
  })

  describe('events by the pixel', () => {
    it('answers every site with an image that no cache keeps, and stores the event', async () => {
      const name = `view ${newId()}`
      const answer = await of.pixel(
        { name, value: '3.5', id: newId(), plan: 'gold', url: 'https://nile.example/#top' },
        { 'user-agent': IPHONE, origin: 'https://nile.example' },
      )
      expect(answer).toMatchObject({ status: 200, outcome: 'stored' })
      expect(answer.bytes.subarray(0, 6).toString()).toBe('GIF89a')
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'image/gif',
        'cache-control': 'no-store',
        'cross-origin-resource-policy': 'cross-origin',
        'access-control-allow-origin': '*',
      })
      expect(answer.headers.getSetCookie()).toEqual([])
      expect(await named(name)).toMatchObject([
        { name, value: 3.5, device_model: 'iPhone', url: 'https://nile.example/', custom_parameters: { plan: 'gold' } },
      ])
    })

    it('stores a repeated event id once, and says so', async () => {
      const parameters = { name: `once ${newId()}`, id: newId() }
      const outcomes = [await of.pixel(parameters), await of.pixel(parameters)].map(({ outcome }) => outcome)
      expect(outcomes).toEqual(['stored', 'repeated'])
    })

    it('the pixel has a key that its owner replaces, and is switched off, with a security event each', async () => {
      const ada = await product.as('ada@nile.example')
      type Saved = { key: string; enabled: boolean; origins: string[] }
      const save = (body: object) => ada.call<Saved>('PUT', '/v1/events/pixel-key', body)
      const before = await of.key()
      const rotated = await save({ rotate: true })
      expect(rotated.data.key).not.toBe(before)
      expect((await of.pixel(`key=${before}&name=old`)).outcome).toBe('refused; code=2; parameter=key')
      expect((await of.pixel({ name: 'new' })).outcome).toBe('stored')
      expect((await save({ enabled: false })).data.enabled).toBe(false)
      expect((await of.pixel({ name: 'off' })).outcome).toBe('refused; code=2; parameter=key')
      expect((await save({ enabled: true })).data).toMatchObject({ enabled: true, key: rotated.data.key })
      const { rows } = await product.database.pool.query(`select 1 from app.security_events where type = 'pixel-changed'`)
      expect(rows.length).toBeGreaterThanOrEqual(3)
      const clerk = await product.as('clerk@nile.example')
      expect((await clerk.call('PUT', '/v1/events/pixel-key', { rotate: true })).status).toBe(403)
    })

    it('takes events of its own sites alone, once they are named', async () => {
      const ada = await product.as('ada@nile.example')
      const save = (origins: readonly string[]) => ada.call('PUT', '/v1/events/pixel-key', { origins })
      for (const wrong of ['nile.example', 'https://nile.example/shop', 'javascript:alert(1)', '*'])
        expect([wrong, (await save([wrong])).code]).toEqual([wrong, 2])
      expect((await save(['https://nile.example'])).code).toBe(0)
      expect((await of.pixel({ name: 'sites' }, { origin: 'https://nile.example' })).outcome).toBe('stored')
      expect((await of.pixel({ name: 'sites' }, { origin: 'https://evil.example' })).outcome).toMatch(/^refused/)
      expect((await save([])).code).toBe(0)
    })

    it('stores no more events of an account on a day than it may, and says when it goes on', async () => {
      await product.database.pool.query(
        `insert into app.tracked_days (space_id, day, events) values ($1, (now() at time zone 'UTC')::date, 500000)
         on conflict (space_id, day) do update set events = 500000`,
        [space],
      )
      const full = await of.pixel({ name: 'full' })
      expect([full.status, Number(full.headers.get('retry-after')) > 0]).toEqual([429, true])
      await product.database.pool.query('delete from app.tracked_days')
      expect((await of.pixel({ name: 'full' })).outcome).toBe('stored')
    })
  })

  describe('events of a campaign', () => {
    it('events of a campaign count as its conversions in the list, its totals and its report, and charge nothing', async () => {
      const name = `Conversions ${newId()}`
      const id = await running({ name, attribution_tags: 'cid={CID}&visitor={ANONYMOUS_ID}&size={CREATIVE_SIZE}', budget: 50 })
      await click(id)
      const url = landing({ cid: id, visitor: 'v-1', size: '300x250' })
      await of.pixel({ name: 'page_view', url })
      await of.pixel({ name: 'purchase', id: newId(), value: '20', url })
      await of.send([
        { name: 'Purchase', id: newId(), url },
        { name: 'lead', campaign_id: id },
        { name: 'checked out', conversion: true, url },
        { name: 'purchase', conversion: false, url },
      ])
      // Three of visitor v-1 on one day, and one without a visitor.
      expect(await of.conversions(id, 4)).toMatchObject({ conversions: 4, unique_conversions: 2, spent: 0, impressions: 1 })
      const list = await ada.call<{ data: readonly Record<string, unknown>[] }>('POST', '/v1/campaign/list/v2', {
        name,
        ...lately(),
      })
      expect(list.data.data[0]).toMatchObject({ id, conversions: 4 })
      const report = await ada.call<{ totals: Record<string, number> }>('POST', '/v1/campaign/report', { id, ...lately() })
      expect(report.data.totals).toMatchObject({ conversions: 4, spent: 0 })
      const csv = await fetch(`${product.base}/v1/campaign/report/download/account-report`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(lately()),
      })
      const [header = '', ...lines] = (await csv.text()).trim().split(/\r?\n/)
      const line = lines.find((one) => one.includes(name))?.split(',') ?? []
      expect(line[header.split(',').indexOf('Conversions')]).toBe('4')
      expect((await named('lead'))[0]).toMatchObject({ campaign_id: id, campaign_name: name, attributed: true, conversion: true })
    })

    it('events of a campaign are unique by network and browser where no tag names the visitor, whatever the page says', async () => {
      const id = await running({ attribution_tags: 'cid={CID}' })
      await click(id)
      const url = landing({ cid: id })
      const other = `${IPHONE} Other/1.0`
      const sent = [
        [{ url }, { 'user-agent': IPHONE }],
        [{ url }, { 'user-agent': IPHONE }],
        // Claims that a script can make.
        [{ url, visitor: 'v-2', anonymous_id: 'v-3', id: newId() }, { 'user-agent': IPHONE }],
        [{ url: landing({ cid: id, anonymous_id: 'v-4', visitor: 'v-5' }) }, { 'user-agent': IPHONE, cookie: 'visitor=v-6' }],
        [
          { url, device_model: 'Pixel 9' },
          { 'user-agent': IPHONE, 'x-forwarded-for': '203.0.113.7', 'x-real-ip': '203.0.113.8' },
        ],
        [{ url }, { 'user-agent': other }],
        [
          { campaign_id: id, url: 'https://nile.example/' },
          { 'user-agent': other, referer: 'https://nile.example/?visitor=v-7' },
        ],
      ] as const
      for (const [parameters, headers] of sent)
        expect((await of.pixel({ name: 'purchase', ...parameters }, headers)).outcome).toBe('stored')
      expect(await of.conversions(id, sent.length)).toMatchObject({ unique_conversions: 2 })
      // The same browser is another visitor of another campaign.
      const second = await running({ attribution_tags: 'cid={CID}' })
      await click(second)
      await of.pixel({ name: 'purchase', url: landing({ cid: second }) }, { 'user-agent': IPHONE })
      expect(await of.conversions(second, 1)).toMatchObject({ unique_conversions: 1 })
    })

    it('events of a campaign are not those of another account, of a draft, or of an address without its tags', async () => {
      const id = await running({ attribution_tags: 'cid={CID}' })
      const draft = await ada.call(
        'POST',
        '/v1/campaign',
        await publishable(product.base, ada, { attribution_tags: 'cid={CID}' }),
      )
      const event = `stray ${newId()}`
      const bola = trackingIn(product, await product.as('bola@lagos.example'))
      const stray = (url: string) => ({ name: event, conversion: true, url })
      await bola.send([stray(landing({ cid: id }))])
      await of.send([stray(landing({ cid: draft.data.id })), stray(landing({ other: id })), stray('https://nile.example/')])
      const rows = [...(await named(event)), ...(await bola.list({ name: event })).data]
      expect(rows.map(({ attributed, conversion }) => [attributed, conversion])).toEqual(
        Array.from({ length: 4 }, () => [false, false]),
      )
      expect(await bola.send([{ name: event, campaign_id: id }])).toMatchObject({ code: 2 })
      expect(await of.conversions(id, 0)).toMatchObject({ conversions: 0 })
    })
  })

  describe('unconfirmed events', () => {
    type Counted = { readonly conversions: number; readonly unconfirmed_conversions: number }

    // covers FP-111
    it('unconfirmed events are stored, listed and counted apart: for good from another site’s page, until a click of a campaign', async () => {
      const name = `Apart ${newId()}`
      const id = await running({ name, attribution_tags: 'cid={CID}' })
      const event = `forged ${newId()}`
      const forged = { name: event, campaign_id: id, conversion: 'true', value: '900000' }
      expect((await of.pixel(forged, { origin: 'https://evil.example' })).outcome).toBe('stored')
      expect((await of.pixel({ name: event, campaign_id: id, conversion: 'true' })).outcome).toBe('stored')
      expect((await of.send([{ name: event, campaign_id: id, conversion: true }, { name: event }])).code).toBe(0)
      expect(await of.conversions(id, 0, 3)).toMatchObject({ conversions: 0, unique_conversions: 0, unconfirmed_conversions: 3 })

      const confirmed = await of.list({ name: event })
      expect([confirmed.total_size, confirmed.unconfirmed_size, confirmed.data.map(({ unconfirmed }) => unconfirmed)]).toEqual([
        1,
        3,
        [null],
      ])
      const apart = await of.list({ name: event, unconfirmed: true })
      expect([apart.total_size, apart.unconfirmed_size]).toEqual([3, 3])
      expect(apart.data.map(({ unconfirmed, value }) => `${unconfirmed} ${value}`).toSorted()).toEqual([
        'click null',
        'click null',
        'origin 900000',
      ])
      const names = async (query: string) =>
        (await ada.call<{ names: string[] }>('GET', `/v1/events/names${query}`)).data.names.includes(event)
      expect([await names(''), await names('?unconfirmed=true')]).toEqual([true, true])

      await click(id)
      expect(await of.conversions(id, 2, 1)).toMatchObject({ unique_conversions: 2 })
      const after = await of.list({ name: event, unconfirmed: true })
      expect(after.data.map(({ unconfirmed }) => unconfirmed)).toEqual(['origin'])
      expect((await of.list({ name: event })).total_size).toBe(3)

      const figures = { conversions: 2, unconfirmed_conversions: 1 } satisfies Counted
      const list = await ada.call<{ data: readonly Counted[] }>('POST', '/v1/campaign/list/v2', { name, ...lately() })
      expect(list.data.data).toMatchObject([figures])
      const report = await ada.call<{ totals: Counted }>('POST', '/v1/campaign/report', { id, ...lately() })
      expect(report.data.totals).toMatchObject({ ...figures, cvr: 200 })
      const csv = await fetch(`${product.base}/v1/campaign/report/download/account-report`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(lately()),
      })
      const [header = '', ...lines] = (await csv.text()).trim().split(/\r?\n/)
      const line = lines.find((one) => one.includes(name))?.split(',') ?? []
      const [conversions, unconfirmed] = ['Conversions', 'Unconfirmed conversions'].map(
        (title) => line[header.split(',').indexOf(title)],
      )
      expect([conversions, unconfirmed]).toEqual(['2', '1'])
    })
  })

  describe('events in the list', () => {
    it('events in the list come ten to a page, newest first, within a period', async () => {
      const name = `paged ${newId()}`
      const events = Array.from({ length: 23 }, (_, n) => ({ name, value: n, time: ago(n * 3_600_000) }))
      await of.send(events)
      const first = await of.list({ name })
      expect([first.current_page, first.page_size, first.total_size]).toEqual([0, 10, 23])
      const pages = await Promise.all([0, 1, 2].map((page) => of.list({ name, page })))
      expect(pages.flatMap(({ data }) => data.map(({ value }) => value))).toEqual(events.map(({ value }) => value))
      const since = await of.list({ name, from_date: ago(5.5 * 3_600_000), to_date: ago(1.5 * 3_600_000), page_size: 150 })
      expect(since.data.map(({ value }) => value)).toEqual([2, 3, 4, 5])
      expect(await ada.call('POST', '/v1/events/list', { from_date: '2026-02-02', to_date: '2026-02-01' })).toMatchObject({
        code: 1303,
      })
      expect(await ada.call('POST', '/v1/events/list', { from_date: 'soon' })).toMatchObject({ code: 11 })
      expect(await ada.call('POST', '/v1/events/list', { page: -1 })).toMatchObject({ code: 2 })
    })
  })
})
