import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#platform/ids'
import { DELIVERED, deliveryIn, SERVICE } from '../support/delivery.ts'
import { eventually, publishable, sessionOf, startTestProduct, type Session, type TestProduct } from '../support/product.ts'
import { IPHONE, lately, trackingIn } from '../support/tracking.ts'

const DAY_MS = 86_400_000
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
/** An event of so long before the test, not before the file was loaded. */
const timed = (ms: number) => ({
  get time() {
    return ago(ms)
  },
})

describe('events', () => {
  let product: TestProduct
  let ada: Session
  let owner: Session
  let space = ''
  let running: Awaited<ReturnType<typeof deliveryIn>>['running']
  let of: ReturnType<typeof trackingIn>

  beforeAll(async () => {
    product = await startTestProduct(DELIVERED)
    owner = await product.as('owner@dsp.example')
    ;({ ada, running, space } = await deliveryIn(product))
    of = trackingIn(product, ada)
  })
  afterAll(() => product.stop())

  const named = async (name: string) => (await of.list({ name })).data
  /** The landing page with the campaign's tags, as a bidder fills them in. */
  const landing = (tags: Record<string, string>) => `https://nile.example/landing?${String(new URLSearchParams(tags))}`

  describe('by the server', () => {
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

    it.each<readonly [problem: string, event: Readonly<Record<string, unknown>>, field: string]>([
      ['without a name', { name: '' }, 'name'],
      ['with a name that is too long', { name: 'x'.repeat(101) }, 'name'],
      ['of next week', timed(-7 * DAY_MS), 'time'],
      ['of eight days ago', timed(8 * DAY_MS), 'time'],
      ['at no time', { time: 'yesterday' }, 'time'],
      ['at an impossible number', { time: 1e300 }, 'time'],
      ['with an address of another scheme', { url: 'javascript:alert(1)' }, 'url'],
      ['with a broken address', { url: 'http://[' }, 'url'],
      ['with an address that is too long', { url: `https://nile.example/${'x'.repeat(2000)}` }, 'url'],
      ['with a value that is no number', { value: 'much' }, 'value'],
      ['with a value beyond the limit', { value: 1e13 }, 'value'],
      [
        'with too many custom parameters',
        { custom_parameters: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`p${n}`, ''])) },
        'custom_parameters',
      ],
      ['with a long custom parameter', { custom_parameters: { p: 'x'.repeat(501) } }, 'custom_parameters.p'],
      ['with a campaign that does not exist', { campaign_id: newId() }, 'campaign_id'],
      ['with an empty id', { id: '' }, 'id'],
    ])('refuses an event %s, and the whole call with it', async (_, wrong, field) => {
      const name = `whole ${newId()}`
      const refused = await of.send([{ name }, { name, ...wrong }])
      expect(refused).toMatchObject({ status: 400, code: 2 })
      expect(refused.data.errors.map(({ path }) => path)).toEqual([`events[1].${field}`])
      expect(await named(name)).toEqual([])
    })

    it('refuses no events and more than 500 of them', async () => {
      for (const events of [[], Array.from({ length: 501 }, () => ({ name: 'many' }))])
        expect(await of.send(events)).toMatchObject({ status: 400, code: 2 })
    })

    it('takes addresses with %00 in their parameters, which name no campaign and no visitor', async () => {
      const id = await running({ attribution_tags: 'cid={CID}&visitor={ANONYMOUS_ID}' })
      const name = `nul ${newId()}`
      const hostile = [
        landing({ utm_campaign: '\0' }),
        landing({ cid: id, visitor: '\0' }),
        landing({ cid: `\0${id}`, a: 'b\0c' }),
      ]
      expect(await of.send(hostile.map((url) => ({ name, conversion: true, url })))).toMatchObject({
        code: 0,
        data: { accepted: 3 },
      })
      for (const url of hostile)
        expect(await of.pixel({ name, conversion: 'true', url })).toMatchObject({ status: 200, outcome: 'stored' })
      const attributed = (await named(name)).map(({ campaign_id }) => campaign_id)
      expect(attributed.filter((campaign) => campaign === id)).toHaveLength(2)
      expect(attributed.filter((campaign) => campaign === null)).toHaveLength(4)
    })

    it('500 events that name a thousand campaigns stop no other call, and those that name more are refused', async () => {
      const id = await running({ attribution_tags: 'cid={CID}' })
      const { pool } = product.database
      const { rows } = await pool.query<{ g: string }>(
        `select 'g' || generation as g from es.subscriptions where name = 'campaign-list' and status = 'live'`,
      )
      /** A thousand copies of the campaign's row in a table of the list; `change` is what they have of their own. */
      const copies = async (name: string, change: string) => {
        const table = `${name}__${rows[0]?.g}`
        const { rows: columns } = await pool.query<{ all: string }>(
          `select string_agg(quote_ident(attname), ', ') as all from pg_attribute
           where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
          [table],
        )
        const all = columns[0]?.all ?? ''
        await pool.query(
          `insert into ${table} (${all}) select ${all} from (
             select (jsonb_populate_record(l, jsonb_build_object('id', 'copy-' || n, ${change}))).*
             from ${table} l, generate_series(1, 1000) n where l.id = $1) copied`,
          [id],
        )
      }
      try {
        await copies('rm_campaign_list', `'name', 'Copy ' || n`)
        await copies('rm_campaign_states', `'state', jsonb_set(l.state::jsonb, '{id}', to_jsonb('copy-' || n))`)
        // Each address names 50 campaigns, and all of them together a thousand.
        const page = (at: number) => Array.from({ length: 50 }, (_, n) => `p${n}=copy-${((50 * at + n) % 1000) + 1}`).join('&')
        const events = Array.from({ length: 500 }, (_, n) => ({ name: 'thousand', url: `https://nile.example/?${page(n)}` }))
        const blocked = monitorEventLoopDelay({ resolution: 10 })
        blocked.enable()
        expect(await of.send(events)).toMatchObject({ code: 0, data: { accepted: 500 } })
        blocked.disable()
        expect(blocked.max / 1e6).toBeLessThan(1500)
        const more = await of.send([...events.slice(1), { name: 'thousand', campaign_id: id }])
        expect(more).toMatchObject({ status: 400, code: 2, data: { errors: [{ path: 'events' }] } })
        expect(await of.send(events.slice(0, 19))).toMatchObject({ code: 0 })
      } finally {
        for (const table of ['rm_campaign_states', 'rm_campaign_list'])
          await pool.query(`delete from ${table}__${rows[0]?.g} where id like 'copy-%'`)
      }
    })

    it('keeps an address without user name, password and fragment', async () => {
      const name = `private ${newId()}`
      await of.send([{ name, url: 'https://ada:secret@nile.example/a?b=c#ada@nile.example' }])
      expect((await named(name))[0]?.url).toBe('https://nile.example/a?b=c')
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

  describe('by the pixel', () => {
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

    it('takes the page from the referrer when no address is sent', async () => {
      const name = `referred ${newId()}`
      await of.pixel({ name }, { referer: 'https://nile.example/offer?x=1' })
      expect((await named(name))[0]?.url).toBe('https://nile.example/offer')
    })

    it('keeps of the address of a page only the parameters that tell where the visitor came from', async () => {
      const name = `tagged ${newId()}`
      await of.pixel({ name, url: 'https://nile.example/?session=s3cret&utm_source=mail&email=a%40b.example&utm_content=x#top' })
      expect((await named(name))[0]?.url).toBe('https://nile.example/?utm_source=mail&utm_content=x')
    })

    it('has a key that its owner replaces, and is switched off, with a security event each', async () => {
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
      const outcome = async (headers: Record<string, string>) => (await of.pixel({ name: 'sites' }, headers)).outcome
      expect(await outcome({ origin: 'https://nile.example' })).toBe('stored')
      expect(await outcome({ referer: 'https://nile.example/offer' })).toBe('stored')
      for (const headers of [
        {},
        { origin: 'https://evil.example' },
        { referer: 'https://nile.example.evil.example/' },
        { origin: 'null' },
      ])
        expect([headers, await outcome(headers as Record<string, string>)]).toEqual([headers, expect.stringMatching(/^refused/)])
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

    it('is keyed by a key that is not the id of the account', async () => {
      expect(await of.key()).toBe(await of.key())
      expect(await of.key()).not.toContain(space)
      expect((await of.pixel(`key=${space}&name=forged`)).outcome).toBe('refused; code=2; parameter=key')
      expect(await named('forged')).toEqual([])
    })

    it.each<readonly [problem: string, query: string, parameter: string]>([
      ['no key', 'name=a', 'key'],
      ['an unknown key', 'key=px_unknown', 'key'],
      ['two keys', 'key=a&key=b', 'key'],
      ['a key that is too long', `key=${'k'.repeat(5000)}`, 'key'],
      ['a value that is no number', 'key=KEY&value=NaN', 'value'],
      ['an endless value', 'key=KEY&value=Infinity', 'value'],
      ['a time that is none', 'key=KEY&time=now', 'time'],
      ['an address of another scheme', 'key=KEY&url=data:,x', 'url'],
      ['a list as a parameter', 'key=KEY&plan=a&plan=b', 'plan'],
      ['a long parameter', `key=KEY&plan=${'x'.repeat(501)}`, 'plan'],
      ['many parameters', `key=KEY&${Array.from({ length: 21 }, (_, n) => `p${n}=1`).join('&')}`, 'custom_parameters'],
      ['a foreign campaign', `key=KEY&campaign_id=${newId()}`, 'campaign_id'],
      ['a NUL character', 'key=KEY&name=%00', ''],
      ['a NUL character in a name', 'key=KEY&p%00=1', ''],
      ['prototype names', 'key=KEY&name=proto&__proto__=1&constructor=2', 'stored'],
      ['a line break', 'key=KEY&name=line&p%0d%0aSet-Cookie:x=1', 'stored'],
      ['broken percent signs', 'key=KEY&name=percent&p=%E0%A4%A', 'stored'],
    ])('answers the image to %s', async (_, query, parameter) => {
      const { status, bytes, outcome, headers } = await of.pixel(query.replace('KEY', await of.key()))
      expect([status, bytes.subarray(0, 6).toString()]).toEqual([200, 'GIF89a'])
      expect(outcome).toBe(parameter === 'stored' ? 'stored' : `refused; code=2; parameter=${parameter}`)
      expect(headers.getSetCookie()).toEqual([])
    })
  })

  describe('that a campaign brought', () => {
    it('count as its conversions in the list, its totals and its report, and charge nothing', async () => {
      const name = `Conversions ${newId()}`
      const id = await running({ name, attribution_tags: 'cid={CID}&visitor={ANONYMOUS_ID}&size={CREATIVE_SIZE}', budget: 50 })
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
      expect(await of.conversions(id, 4)).toMatchObject({ conversions: 4, unique_conversions: 2, spent: 0, impressions: 0 })
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

    it('are unique by network and browser where no tag names the visitor, whatever the page says about the visitor', async () => {
      const id = await running({ attribution_tags: 'cid={CID}' })
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
      await of.pixel({ name: 'purchase', url: landing({ cid: second }) }, { 'user-agent': IPHONE })
      expect(await of.conversions(second, 1)).toMatchObject({ unique_conversions: 1 })
    })

    it('are found by the name of the campaign in the default tags', async () => {
      const name = `Name Ünïcode ${newId()}`
      const id = await running({ name })
      const event = `by name ${newId()}`
      await of.send([
        { name: event, conversion: true, url: landing({ utm_source: 'placard', utm_campaign: name, anonymous_id: 'x' }) },
      ])
      expect((await named(event))[0]).toMatchObject({ campaign_id: id, conversion: true })
      await of.conversions(id, 1)
    })

    it("count under the campaign's own custom action", async () => {
      const id = await running({
        attribution_tags: 'cid={CID}',
        bidding_strategy: {
          type: 'conversion',
          goal: 'WEBSITE_CUSTOM_EVENT',
          website_promotion: { custom_action_name: 'Booked a cabin' },
        },
      })
      await of.send(['booked a cabin', 'looked at a cabin'].map((name) => ({ name, url: landing({ cid: id }) })))
      await of.conversions(id, 1)
    })

    it('are not those of another account, of a draft, or of an address without its tags', async () => {
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

    it('do not include events before it served', async () => {
      const id = await running({ attribution_tags: 'cid={CID}' })
      const event = `early ${newId()}`
      await of.send([{ name: event, conversion: true, time: ago(DAY_MS), url: landing({ cid: id }) }])
      expect((await named(event))[0]).toMatchObject({ attributed: false })
    })

    it('are counted once when they are sent again', async () => {
      const id = await running({ attribution_tags: 'cid={CID}' })
      const events = [{ name: 'purchase', id: newId(), url: landing({ cid: id }) }]
      await of.send(events)
      await of.conversions(id, 1)
      await of.send(events)
      await of.send([{ name: 'purchase', id: newId(), url: landing({ cid: id }) }])
      await of.conversions(id, 2)
    })
  })

  describe('in the list', () => {
    it('come ten to a page, newest first, within a period', async () => {
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

    it('of staff in their own account hold every account of the white-label', async () => {
      const name = `staff ${newId()}`
      await of.send([{ name }])
      await eventually(
        () => trackingIn(product, owner).list({ name }),
        ({ total_size }) => total_size === 1,
      )
      expect((await owner.call('POST', '/v1/events/list', { space_id: newId() })).code).toBe(1420)
    })
  })
})
