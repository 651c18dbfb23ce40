import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { READ_MODELS } from '#projections/read-models'
import { createKysely } from '#platform/database/pool'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { verify, type Verified } from '#projections/projector/verify'
import { columnsOf, otherValue } from '../support/tamper.ts'
import { eventually, sessionOf, startTestProduct, type TestProduct } from '../support/product.ts'

/** Tables that the product of this file has no row for. */
const EMPTY: readonly string[] = ['invoice_lines']

/** The demo has campaigns of every kind; the projector applied it event by event. */
describe('every read model', () => {
  let product: TestProduct
  beforeAll(async () => {
    product = await startTestProduct()
    // The demo has neither a registration nor a changed white-label.
    const owner = await product.as('owner@dsp.example')
    expect((await owner.call('PUT', '/v1/whitelabel/dsp', { name: 'Nile Ads' })).code).toBe(0)
    const { space_id } = (await (await product.as('ada@nile.example')).call<{ space_id: string }>('GET', '/v1/user/me')).data
    const draft = { space_id, charge_from_date: '2026-01-01', charge_to_date: '2026-01-31' }
    expect((await owner.call('POST', '/v1/invoice/create', draft)).code).toBe(0)
    // The demo has no cards and no payments.
    const bola = await product.as('bola@lagos.example')
    for (const provider_method_id of ['pm_card_visa', 'pm_card_chargeDeclined', 'pm_card_authenticationRequired']) {
      const { data: setup } = await bola.call<{ setup_id: string }>('GET', '/v1/payment-method/add')
      const body = { setup_id: setup.setup_id, provider_method_id }
      const { data: card } = await bola.call('POST', '/v1/payment-method', body)
      await bola.call('POST', '/v1/payment/refill', { amount: 5000, payment_method_id: card.id })
    }
    const autoRefill = { enabled: true, threshold: 1, amount: 5000, monthly_limit: 5000 }
    expect((await bola.call('PUT', '/v1/payment/auto-refill', autoRefill)).code).toBe(0)
    const form = {
      first_name: 'Nadia',
      last_name: 'Osei',
      company_name: 'Delta Foods',
      email: 'nadia@delta.example',
      phone: '+20 100 000 0000',
      country: 'EG',
      currency: 'USD',
      user_type_key: 1,
      agree_with_tos: true,
    }
    const ada = await product.as('ada@nile.example')
    const rules = { condition: 'and', rules: [{ field: 'events_7d', operator: 'is_more_than', value: 1 }] }
    const audience = await ada.call('POST', '/v1/segment-audience/dynamic', { name: 'Visitors', rules })
    await eventually(
      () => product.database.pool.query(`select 1 from es.events where type = 'AudienceVersionReady'`),
      ({ rows }) => rows.length > 0,
    )
    expect((await ada.call('PUT', '/v1/segment-audience/dynamic', { id: audience.data.id, name: 'Guests' })).code).toBe(0)
    const stranger = sessionOf(product.base, '')
    expect((await stranger.call('POST', '/v1/registration', form)).code).toBe(0)
    await eventually(
      () => product.database.pool.query(`select 1 from es.events where type = 'RegistrationSubmitted'`),
      ({ rows }) => rows.length === 1,
    )
  })
  afterAll(() => product.stop())

  const tools = () => {
    const db = createKysely(product.database.pool)
    const store = createPostgresEventStore({ pool: product.database.pool, url: product.database.url })
    return { db, store }
  }

  // covers FP-20
  it.each(READ_MODELS.map((model) => [model.name, model] as const))('%s is the same after a rebuild', async (_, model) => {
    const { db, store } = tools()
    try {
      expect(await verify(db, store, model)).toEqual({ kind: 'compared', differences: [] })
    } finally {
      await store.close()
    }
  })

  it.each(READ_MODELS.map((model) => [model.name, model] as const))(
    '%s: a comparison with the log counts every changed column, removed row and added row',
    async (_, model) => {
      const { db, store } = tools()
      try {
        for (const base of model.tables) {
          const table = `rm_${base}__g1`
          const compared = async () => differencesOf(await verify(db, store, model), base)
          if (!EMPTY.includes(base)) await tamper(table, compared)
          else {
            await sql`insert into ${sql.table(table)} values ('invoice', 1, 'campaign', 'Added', 5, 7, false)`.execute(db)
            expect([table, await compared()]).toEqual([table, 1])
            await sql`truncate ${sql.table(table)}`.execute(db)
          }
        }
      } finally {
        await store.close()
      }
    },
  )

  const differencesOf = (verified: Verified, base: string): number | null => {
    if (verified.kind !== 'compared') return null
    const found = verified.differences.find(({ table }) => table === base)
    if (found === undefined) return 0
    const count = found.missing + found.extra + found.changed
    expect(found.rows).toHaveLength(Math.min(count, 100))
    const unnamed = found.rows.filter(
      ({ key, kind, columns }) => key.length === 0 || (kind === 'changed') === (columns.length === 0),
    )
    expect([base, unnamed]).toEqual([base, []])
    return count
  }

  /** Changes one column of each row until every column was changed; removes a row, and adds one. */
  async function tamper(table: string, compared: () => Promise<number | null>): Promise<void> {
    const { pool } = product.database
    const keys = new Set(
      (
        await pool.query<{ name: string }>(
          `select a.attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
           where i.indrelid = $1::regclass and i.indisprimary`,
          [table],
        )
      ).rows.map(({ name }) => name),
    )
    const all = await columnsOf(product.database, table)
    const names = all.map(({ name }) => `"${name}"`).join(', ')
    const rows = (await pool.query<{ ctid: string }>(`select ctid::text from ${table} limit 100`)).rows.map(({ ctid }) => ctid)
    expect([table, rows.length > 0]).toEqual([table, true])
    const restored = async (change: () => Promise<number>): Promise<void> => {
      await pool.query(`create table app.kept as table ${table}`)
      const changed = await change()
      expect([table, await compared()]).toEqual([table, changed])
      await pool.query(`truncate ${table}`)
      await pool.query(`insert into ${table} (${names}) select ${names} from app.kept`)
      await pool.query('drop table app.kept')
    }
    const columns = all.filter(({ name }) => !keys.has(name))
    for (let from = 0; from < columns.length; from += rows.length)
      await restored(async () => {
        const some = columns.slice(from, from + rows.length)
        const places = (await pool.query<{ ctid: string }>(`select ctid::text from ${table} limit 100`)).rows
        for (const [i, column] of some.entries()) {
          const set = `set "${column.name}" = ${otherValue(column)}`
          const { rowCount } = await pool.query(`update ${table} ${set} where ctid = $1::tid`, [places[i]?.ctid])
          expect([column.name, rowCount]).toEqual([column.name, 1])
        }
        return some.length
      })
    const one = `(select ctid from ${table} limit 1)`
    await restored(async () => (await pool.query(`delete from ${table} where ctid = ${one}`)).rowCount ?? 0)
    const key = all.find(({ name, type }) => keys.has(name) && (type === 'text' || type === 'integer' || type === 'bigint'))
    await restored(async () => {
      const copy = all.map((column) => (column === key ? otherValue(column) : `"${column.name}"`)).join(', ')
      const added =
        key?.type === 'integer' || key?.type === 'bigint'
          ? `(select ctid from ${table} order by "${key.name}" desc limit 1)`
          : one
      const { rowCount } = await pool.query(`insert into ${table} (${names}) select ${copy} from ${table} where ctid = ${added}`)
      return rowCount ?? 0
    })
  }
})
