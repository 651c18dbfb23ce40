import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '#domain/kit/event-metadata'
import { monthly } from '#api/areas/invoice/policies'
import { createAccounts } from '#projections/account/account-lookup'
import { createWhiteLabels } from '#api/areas/white-label/white-labels'
import { createAccountCommands } from '#commands/account/account-commands'
import { createHandler } from '#commands/handle'
import { createInvoiceCommands } from '#commands/invoice/invoice-commands'
import type { InvoiceDetails, InvoiceSummary } from '#contract/invoices'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import type { Db } from '#migrations/db'
import { createKysely } from '#platform/database/pool'
import { addToHours } from '#platform/delivery/charged-hours'
import { derivedId, newId } from '#platform/ids'
import { createInvoiceCharges } from '#platform/invoice/charges'
import { eventually, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Listed = { readonly data: readonly InvoiceSummary[] }

/** The policy at a time of the test's choice: later than what the product's own policies look at. */
describe('the policy of monthly invoices', () => {
  let product: TestProduct
  let db: Kysely<Db>
  let store: ReturnType<typeof createPostgresEventStore>
  let accountant: Session
  let owner: Session
  let scan: (now: string) => Promise<number>
  let settlements = 0
  let caughtUp: () => Promise<void>
  let accountCommands: ReturnType<typeof createAccountCommands>

  beforeAll(async () => {
    product = await startTestProduct()
    const { pool, url } = product.database
    db = createKysely(pool)
    store = createPostgresEventStore({ pool, url })
    let clock = ''
    const now = () => clock
    const handle = createHandler({ store, now, eventId: (id, n) => derivedId('event', id, String(n)) })
    const whiteLabels = createWhiteLabels(db, { now })
    const accounts = createAccounts({ db, store, reached: async () => true })
    const charges = createInvoiceCharges(db)
    const invoices = createInvoiceCommands(handle, {
      accounts: createAccountCommands(handle),
      port: { ...charges, namesOf: async () => new Map(), keepParties: async () => undefined },
      commandId: derivedId,
      chargeCard: async () => 'declined' as const,
    })
    accountant = await product.as('accountant@dsp.example')
    owner = await product.as('owner@dsp.example')
    accountCommands = createAccountCommands(handle)
    caughtUp = async () => {
      const head = await store.head()
      const reached = async () =>
        (
          await sql<{ ok: boolean }>`
          select bool_and(position >= ${String(head)}::bigint) as ok from es.subscriptions where status = 'live'
            and name in ('accounts', 'invoices', 'white-labels')`.execute(db)
        ).rows[0]?.ok
      await eventually(reached, (ok) => ok === true)
    }
    const kit = { accounts, caughtUp, commands: { invoices }, db, derivedId, invoices: { charges }, now, whiteLabels }
    const sweep = monthly(kit as never)
    scan = async (instant) => {
      clock = instant
      await caughtUp()
      await whiteLabels.refresh()
      const commands = await sweep.scan([])
      for (const { act } of commands) await act()
      await caughtUp()
      return commands.length
    }
  })
  afterAll(async () => {
    await store.close()
    await product.stop()
  })

  /** A new account of the white-label. */
  async function account(name: string): Promise<string> {
    const spaceId = newId()
    const command = {
      type: 'OpenAccount',
      spaceId,
      whitelabelId: 'dsp',
      name: `${name} ${spaceId}`,
      currency: 'USD',
      house: false,
    } as const
    expect((await accountCommands.execute(spaceId, systemContext('invoices', newId()), command)).kind).toBe('done')
    await caughtUp()
    return spaceId
  }
  /** A settled charge in the hour of this instant. */
  async function charge(space: string, at: string, amount: number): Promise<void> {
    const batch = newId()
    settlements += 1
    await sql`insert into app.delivery_batches (id, body_hash, rows, spent, overdelivered) values (${batch}, '', 1, ${amount}, 0)`.execute(
      db,
    )
    await sql`insert into app.settlements (space_id, number, recorded) values (${space}, ${settlements}, true)`.execute(db)
    await sql`insert into app.delivery_charges (batch_id, space_id, campaign_id, hour, amount, settlement)
      values (${batch}, ${space}, 'campaign', ${at}, ${amount}, ${settlements})`.execute(db)
    await db.transaction().execute((tx) => addToHours(tx, space, settlements))
  }
  const zone = async (time_zone: string) => expect((await owner.call('PUT', '/v1/whitelabel/dsp', { time_zone })).code).toBe(0)
  const list = async (space: string) =>
    (await accountant.call<Listed>('POST', '/v1/invoice', { space_id: space })).data.data.toSorted((a, b) =>
      a.charge_to_date < b.charge_to_date ? -1 : 1,
    )
  const details = async (id: string) => (await accountant.call<InvoiceDetails>('GET', `/v1/invoice/${id}`)).data
  const periods = async (space: string) => {
    const { rows } = await sql<{ from_at: Date; to_at: Date }>`
      select from_at, to_at from app.invoice_periods where space_id = ${space} order by from_at`.execute(db)
    return rows.map((row) => [row.from_at.toISOString(), row.to_at.toISOString()])
  }
  const shown = async (space: string) => (await list(space)).map((one) => [one.charge_from_date, one.charge_to_date, one.total])

  it('a deleted draft is not made again, leaves no claim, and its charges go on the next invoice', async () => {
    const space = await account('Declined')
    await charge(space, '2027-01-10T08:00:00Z', 5_000_000)
    await scan('2027-02-02T09:00:00.000Z')
    const [made] = await list(space)
    expect(made).toMatchObject({ total: 5, charge_to_date: '2027-01-31' })
    expect((await accountant.call('DELETE', `/v1/invoice/${made?.id}`)).code).toBe(0)
    await scan('2027-02-02T09:01:00.000Z')
    await scan('2027-02-03T09:01:00.000Z')
    expect(await periods(space)).toEqual([])
    expect(await list(space)).toEqual([])
    // By hand the month is free.
    const days = { charge_from_date: '2027-01-01', charge_to_date: '2027-01-31' }
    const byHand = await accountant.call<{ id: string }>('POST', '/v1/invoice/create', { space_id: space, ...days })
    expect(byHand.code).toBe(0)
    expect((await accountant.call('DELETE', `/v1/invoice/${byHand.data.id}`)).code).toBe(0)
    await charge(space, '2027-02-10T08:00:00Z', 2_000_000)
    await scan('2027-03-02T09:00:00.000Z')
    expect(await shown(space)).toEqual([['2027-02-01', '2027-02-28', 7]])
  })

  it('a draft that is only repeated after its deletion leaves no claim', async () => {
    const space = await account('Repeated')
    const body = { space_id: space, charge_from_date: '2027-01-01', charge_to_date: '2027-01-31' }
    const made = await accountant.call<{ id: string }>('POST', '/v1/invoice/create', body, { 'idempotency-key': space })
    expect((await accountant.call('DELETE', `/v1/invoice/${made.data.id}`)).code).toBe(0)
    // As after a crash before the answer was stored.
    await sql`delete from app.answers where key = ${space}`.execute(db)
    await accountant.call('POST', '/v1/invoice/create', body, { 'idempotency-key': space })
    expect(await periods(space)).toEqual([])
  })

  // covers FP-65
  it.each([
    ['east', 'UTC', 'Asia/Dubai', '2027-05-01T00:00:00.000Z', '2027-04-30T20:00:00.000Z'],
    ['west', 'Asia/Dubai', 'UTC', '2027-04-30T20:00:00.000Z', '2027-05-01T00:00:00.000Z'],
    ['west by half an hour', 'Asia/Kathmandu', 'Asia/Kolkata', '2027-04-30T18:15:00.000Z', '2027-04-30T18:30:00.000Z'],
  ])('no hour is lost or invoiced twice when the time zone moves %s', async (_, before, after, end, start) => {
    await zone(before)
    const space = await account('Moved')
    // The three hours around both midnights.
    const hours = Array.from({ length: 8 }, (__, n) => new Date(Date.parse('2027-04-30T17:00:00Z') + n * 3_600_000).toISOString())
    await charge(space, '2027-04-10T08:00:00Z', 1_000_000)
    for (const at of hours) await charge(space, at, 1_000_000)
    await scan('2027-05-02T09:00:00.000Z')
    const [april] = await list(space)
    expect((await accountant.call('POST', `/v1/invoice/send/${april?.id}`, {})).code).toBe(0)
    await zone(after)
    await charge(space, '2027-05-10T08:00:00Z', 1_000_000)
    await scan('2027-06-02T09:00:00.000Z')
    const both = await list(space)
    expect(both.reduce((sum, { total }) => sum + total, 0)).toBe(10)
    const claimed = await periods(space)
    expect(claimed.map(([from]) => from)).toEqual([expect.any(String), end])
    expect(claimed.map(([, to]) => to)).toEqual([end, expect.any(String)])
    expect(end).not.toBe(start)
    const may = both.at(-1)
    expect(may?.charge_to_date).toBe('2027-05-31')
    // The draft can be edited, with the same days.
    expect((await accountant.call('PUT', `/v1/invoice/${may?.id}`, { note: 'Thanks' })).code).toBe(0)
    await zone('UTC')
  })

  it('the first day after a move of the time zone can be invoiced by hand', async () => {
    const space = await account('By hand')
    const create = (from: string, to: string) =>
      accountant.call<{ id: string }>('POST', '/v1/invoice/create', {
        space_id: space,
        charge_from_date: from,
        charge_to_date: to,
      })
    expect((await create('2027-04-01', '2027-04-30')).code).toBe(0)
    await zone('Europe/Berlin')
    expect((await create('2027-05-01', '2027-05-01')).code).toBe(0)
    // A whole day of another invoice stays refused.
    expect((await create('2027-05-01', '2027-05-03')).code).toBe(2)
    expect((await create('2027-04-30', '2027-04-30')).code).toBe(2)
    await zone('UTC')
  })

  it('an invoice by hand for days of the current month does not make it pass over the month before', async () => {
    const space = await account('Ahead')
    await charge(space, '2027-03-10T08:00:00Z', 3_000_000)
    await charge(space, '2027-04-02T08:00:00Z', 4_000_000)
    const days = { charge_from_date: '2027-04-01', charge_to_date: '2027-04-03' }
    const byHand = await accountant.call<{ id: string }>('POST', '/v1/invoice/create', { space_id: space, ...days })
    expect(byHand.code).toBe(0)
    await scan('2027-04-04T09:00:00.000Z')
    // The days by hand are a draft still, and take what is older of themselves: nothing is on both.
    expect(await shown(space)).toEqual([
      ['2027-03-01', '2027-03-31', 3],
      ['2027-04-01', '2027-04-03', 4],
    ])
  })

  // covers FP-65
  it('a suspended account is made up later, with everything that is on no invoice', async () => {
    const space = await account('Suspended')
    await charge(space, '2027-01-10T08:00:00Z', 1_000_000)
    await charge(space, '2027-02-10T08:00:00Z', 2_000_000)
    const suspended = await owner.call('POST', `/v1/space/${space}/suspend`, { reason: 'Unpaid' })
    expect(suspended.code).toBe(0)
    await scan('2027-03-02T09:00:00.000Z')
    expect(await list(space)).toEqual([])
    expect((await owner.call('POST', `/v1/space/${space}/restore`, { reason: 'Paid' })).code).toBe(0)
    await scan('2027-05-02T09:00:00.000Z')
    const [made] = await list(space)
    expect(made?.total).toBe(3)
    const { lines } = await details(made?.id ?? '')
    expect(lines.map(({ amount, late }) => ({ amount, late }))).toEqual([{ amount: 3, late: true }])
  })
})
