import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#platform/ids'
import { DELIVERED, deliveryIn, hour } from '../support/delivery.ts'
import { eventually, signIn, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Body = Record<string, unknown>
type Read = {
  readonly name: string
  readonly who: Session
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
}

/** Values as of the answer, or exact to the hour only: the spend of a campaign, and charges that the ledger has yet to settle. */
const OF_NOW = new Set([
  'as_of',
  'may',
  'may_decide',
  'unassigned_funds',
  'budget_spent',
  'daily_budget_spent',
  'reserved',
  'runway_days',
  'spent_today',
  'remedy',
])
/** Fields of the person, who has no history. */
const OF_PERSON = ['updated_at']
const FIGURES = new Set([
  'impressions',
  'clicks',
  'conversions',
  'spent',
  'ctr',
  'cpm',
  'cpc',
  'cvr',
  'cpa',
  'conversions_unique_bid',
  'unconfirmed_conversions',
  'report_data',
])

/** An answer without what is not of its moment. */
function comparable(value: unknown, dropped: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => comparable(one, dropped))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !dropped.has(key))
      .map(([key, inner]) => [key, comparable(inner, dropped)]),
  )
}

describe('reads as of a moment', () => {
  let product: TestProduct
  let owner: Session
  let auditor: Session
  let accountant: Session
  let ada: Session
  let space = ''
  let first = ''
  let second = ''
  let invoice = ''
  let user = ''
  let send: Awaited<ReturnType<typeof deliveryIn>>['send']
  const moments: { readonly at: string; readonly said: ReadonlyMap<string, unknown> }[] = []

  const reads = (): readonly Read[] => [
    { name: 'campaign', who: auditor, method: 'GET', path: `/v1/campaign/${first}` },
    { name: 'list', who: owner, method: 'POST', path: '/v1/campaign/list/v2', body: { space_id: space } },
    {
      name: 'list of running ones',
      who: owner,
      method: 'POST',
      path: '/v1/campaign/list/v2',
      body: { space_id: space, status_filter: 3 },
    },
    {
      name: 'list by name',
      who: auditor,
      method: 'POST',
      path: '/v1/campaign/admin/list',
      body: { name: 'moon', order_field: 'name' },
    },
    { name: 'balance', who: auditor, method: 'GET', path: `/v1/space/balance/${space}` },
    { name: 'invoices', who: owner, method: 'POST', path: '/v1/invoice', body: {} },
    { name: 'account', who: owner, method: 'GET', path: `/v1/space/${space}/details` },
    { name: 'accounts', who: auditor, method: 'POST', path: '/v1/whitelabel/admin/accounts/list', body: { sort: 'name' } },
    { name: 'totals', who: auditor, method: 'POST', path: '/v1/whitelabel/admin/accounts/totals', body: {} },
    { name: 'white-label', who: owner, method: 'GET', path: '/v1/whitelabel/dsp' },
    { name: 'settings', who: owner, method: 'GET', path: '/v1/whitelabel/settings' },
    ...(invoice === '' ? [] : [{ name: 'invoice', who: auditor, method: 'GET' as const, path: `/v1/invoice/${invoice}` }]),
  ]
  const head = async () =>
    String((await product.database.pool.query('select coalesce(max(position), 0) as n from es.events')).rows[0]?.n ?? 0)
  async function answered({ who, method, path, body }: Read, at?: string) {
    const answer = await who.call<Body>(method, at === undefined ? path : `${path}?as_of=${at}`, body, {
      'x-position': await head(),
    })
    expect([path, answer.code]).toEqual([path, 0])
    return answer.data
  }

  /** Reads everything, and keeps what was said with the moment. Nothing may be on its way. */
  async function moment(): Promise<void> {
    await eventually(
      () => owner.call<{ unsettled: number }>('GET', `/v1/space/balance/${space}`),
      ({ data }) => data.unsettled === 0,
    )
    // Policies record what follows from a change, such as a suspension: a moment is one at which nothing happens.
    for (;;) {
      const before = await head()
      await product.swept()
      const at = new Date().toISOString()
      const said = new Map<string, unknown>()
      for (const read of reads()) said.set(read.name, await answered(read))
      if ((await head()) !== before) continue
      moments.push({ at, said })
      break
    }
  }

  async function done(answer: Promise<{ readonly code: number; readonly data: unknown }>): Promise<void> {
    expect(await answer).toMatchObject({ code: 0 })
  }

  beforeAll(async () => {
    product = await startTestProduct(DELIVERED)
    const [owned, audited, accounted] = await Promise.all(
      ['owner', 'auditor', 'accountant'].map((name) => product.as(`${name}@dsp.example`)),
    )
    if (!owned || !audited || !accounted) throw new Error('not signed in')
    ;[owner, auditor, accountant] = [owned, audited, accounted]
    const delivery = await deliveryIn(product)
    ;({ ada, send, space } = delivery)
    user = (await ada.call<{ id: string }>('GET', '/v1/user/me')).data.id
    first = await delivery.running({ budget: 900, name: 'Moon first' })
    await moment()
    await done(send(newId(), [{ hour: hour(), campaign_id: first, impressions: 100, spent: 12.5 }]))
    second = await delivery.running({ budget: 500, name: 'Sun' })
    await moment()
    await done(ada.call('PUT', '/v1/campaign', { id: second, name: 'Moon second' }))
    await done(ada.call('POST', '/v1/campaign/pause', first))
    await done(owner.call('PUT', `/v1/space/${space}/credit-limit`, { credit_limit: 250 }))
    await done(
      owner.call('PUT', '/v1/whitelabel/dsp', { name: 'Placard by night', whitelabel_settings: { own_approval: false } }),
    )
    await moment()
    await done(owner.call('POST', `/v1/space/${space}/credit`, { amount: 77, comment: 'Goodwill' }))
    const day = new Date().toISOString().slice(0, 10)
    const made = await accountant.call<{ id: string }>('POST', '/v1/invoice/create', {
      space_id: space,
      charge_from_date: day,
      charge_to_date: day,
    })
    invoice = made.data.id
    await done(accountant.call('POST', `/v1/invoice/send/${invoice}`, {}))
    await moment()
    await done(
      accountant.call('POST', `/v1/invoice/log-payment/${invoice}`, {
        amount: 5,
        paid_at: day,
        method: 'bank_transfer',
        reference: 'A-1',
      }),
    )
    await done(owner.call('POST', `/v1/space/${space}/suspend`, { reason: 'Asked for' }))
    await moment()
    await done(owner.call('POST', `/v1/space/${space}/restore`, { reason: 'Settled' }))
    await done(owner.call('PUT', '/v1/whitelabel/dsp', { name: 'Placard', whitelabel_settings: { own_approval: true } }))
    await done(owner.call('POST', '/v1/campaign/run', first))
    await moment()
  })
  afterAll(() => product.stop())

  it('reads as of a moment answer what was answered then', async () => {
    expect(moments.length).toBe(6)
    for (const [i, { at, said }] of moments.entries()) {
      for (const read of reads()) {
        if (!said.has(read.name)) continue
        // Figures that are exact to the hour show later deliveries in it.
        const dropped = read.name.includes('list')
          ? new Set([...OF_NOW, ...FIGURES])
          : new Set([...OF_NOW, 'impressions', 'clicks'])
        const hidden = read.name.startsWith('account') ? new Set([...dropped, ...OF_PERSON]) : dropped
        expect({ i, name: read.name, data: comparable(await answered(read, at), hidden) }).toEqual({
          i,
          name: read.name,
          data: comparable(said.get(read.name), hidden),
        })
      }
    }
  })

  it('reads as of a moment change with the moment: no two of these moments answer alike', () => {
    const different = (name: string) =>
      new Set(moments.map(({ said }) => JSON.stringify(comparable(said.get(name), OF_NOW)))).size
    expect(reads().map(({ name }) => [name, different(name) > 1])).toEqual(reads().map(({ name }) => [name, true]))
  })

  it('reads as of a moment know nothing of what began later', async () => {
    const at = moments[0]?.at ?? ''
    expect((await owner.call('GET', `/v1/campaign/${second}?as_of=${at}`)).code).toBe(130)
    expect((await owner.call('GET', `/v1/invoice/${invoice}?as_of=${at}`)).code).toBe(131)
    expect((await owner.call('GET', `/v1/campaign/${first}?as_of=2020-01-01T00:00:00Z`)).code).toBe(130)
    expect((await owner.call('GET', `/v1/space/${space}/details?as_of=2020-01-01`)).code).toBe(110)
  })

  it('reads as of a moment are for those who may read the log, and refuse what is no instant', async () => {
    const at = moments[1]?.at ?? ''
    const all = reads()
    // The suspension signed Ada out.
    const signedIn = await signIn(product.base, 'ada@nile.example')
    for (const { method, path, body } of all.filter(({ name }) => ['campaign', 'balance', 'invoice', 'list'].includes(name)))
      expect([path, (await signedIn.call(method, `${path}?as_of=${at}`, body)).code]).toEqual([path, 3])
    expect((await owner.call('GET', `/v1/campaign/${first}?as_of=yesterday`)).code).toBe(11)
    // The day as it ended, and no later than now.
    expect((await owner.call('GET', `/v1/campaign/${first}?as_of=2199-01-01`)).data.name).toBe('Moon first')
  })

  it('reads as of a moment show the spend of a campaign: of its days before, and of the hours of its day that had begun', async () => {
    const { pool } = product.database
    await pool.query(
      `insert into app.campaign_spend (campaign_id, day, billed, overdelivered) values ($1, (now() - interval '3 days')::date, 3500000, 0)`,
      [second],
    )
    const charge = (number: number, at: string, amount: number) =>
      pool.query(
        `insert into app.charged_hours (space_id, campaign_id, hour, first_settlement, last_settlement, amount) values ($1, $2, $3, $4, $4, $5)`,
        [space, second, at, number, amount],
      )
    await charge(900, hour(), 1_250_000)
    await charge(901, hour(-1), 9_000_000)
    const now = new Date().toISOString()
    expect((await owner.call('GET', `/v1/campaign/${second}?as_of=${now}`)).data).toMatchObject({
      budget_spent: 4.75,
      daily_budget_spent: 1.25,
      name: 'Moon second',
    })
    const before = new Date(Date.parse(moments[0]?.at ?? '') - 3_600_000).toISOString()
    const listed = await owner.call<{ data: { id: string }[] }>('POST', `/v1/campaign/list/v2?as_of=${before}`, {
      space_id: space,
    })
    expect(listed.data.data.filter(({ id }) => [first, second].includes(id))).toEqual([])
  })

  it('reads as of a moment leave nothing behind: reads of now are of now', async () => {
    const tables = await product.database.pool.query(
      `select count(*)::int as n from pg_class where relname like 'past\\_%' or (relname like 'rm\\_%' and relpersistence = 't')`,
    )
    expect(tables.rows[0]?.n).toBe(0)
    expect(user).not.toBe('')
    for (const read of reads()) {
      const last = moments.at(-1)?.said.get(read.name)
      expect(
        comparable(await answered(read), new Set([...OF_NOW, ...FIGURES, 'balance', 'available', 'updated_at', 'spent'])),
      ).toEqual(comparable(last, new Set([...OF_NOW, ...FIGURES, 'balance', 'available', 'updated_at', 'spent'])))
    }
  })
})
