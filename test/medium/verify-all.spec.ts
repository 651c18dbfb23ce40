import { readFile, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runTool } from '../support/command-line.ts'
import { publishable, startTestProduct, upload, png, type TestProduct } from '../support/product.ts'

type Line = {
  readonly fault?: { readonly check: string; readonly message: string; readonly [about: string]: unknown }
  readonly checked?: { readonly check: string; readonly count: number }
  readonly unread?: { readonly check: string }
  readonly valid?: boolean
  readonly faults?: number
}

describe('npm run audit -- verify --all', () => {
  let product: TestProduct
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_LOG_ORIGIN: 'ads.example/log' })
    const ada = await product.as('ada@nile.example')
    await upload(product.base, ada.token, await png(300, 250), 300, 250)
    await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))
    const auditor = await product.as('auditor@dsp.example')
    await auditor.call('POST', '/v1/audit/checkpoint')
  })
  afterAll(() => product.stop())

  async function verified(...args: readonly string[]) {
    const { code, out, err } = await runTool('api/cli/audit.ts', ['verify', '--all', '--json', ...args], product.database.url, {
      env: { PLACARD_DATA_DIR: product.dataDir, PLACARD_LOG_ORIGIN: 'ads.example/log' },
    })
    const lines = out
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Line => JSON.parse(line))
    return { code, err, lines, faults: lines.flatMap(({ fault }) => (fault === undefined ? [] : [fault])) }
  }

  it('finds nothing in an unaltered product', async () => {
    const { code, lines, faults } = await verified()
    expect(faults).toEqual([])
    expect(lines.flatMap(({ checked }) => checked?.check ?? [])).toEqual([
      'log',
      'tree',
      'snapshots',
      'read-models',
      'ledger',
      'files',
    ])
    for (const { checked } of lines)
      if (checked !== undefined && checked.check !== 'snapshots') expect(checked.count).toBeGreaterThan(0)
    expect([code, lines.at(-1)]).toEqual([0, { valid: true, faults: 0 }])
  })

  it('names what was changed in the log, the tree, a read model and a file', async () => {
    const { pool } = product.database
    const { rows } = await pool.query<{ stream_id: string; version: number; event_id: string; campaign: string }>(
      `select stream_id, version, event_id, split_part(stream_id, 'campaign-', 2) as campaign from es.events
       where type = 'CampaignCreated' order by position limit 1`,
    )
    const [event] = rows
    await pool.query('alter table es.events disable trigger all')
    await pool.query(`update es.events set data = jsonb_set(data::jsonb, '{replicated_from}', '"x"')::json where event_id = $1`, [
      event?.event_id,
    ])
    await pool.query('update app.log_heads set root = sha256(root) where size = (select max(size) from app.log_heads)')
    await pool.query(`update rm_campaign_list set name = 'Another' where id = $1`, [event?.campaign])
    const blob = await pool.query<{ sha256: string }>('select sha256 from app.files where stored limit 1')
    const { faults, code, lines } = await verified()
    expect(code).toBe(1)
    expect(faults).toContainEqual(
      expect.objectContaining({ check: 'chain', stream: event?.stream_id, version: 1, event_id: event?.event_id }),
    )
    expect(faults).toContainEqual(expect.objectContaining({ check: 'tree', event_id: event?.event_id }))
    expect(faults.filter(({ check }) => check === 'heads')).not.toEqual([])
    expect(faults).toContainEqual(
      expect.objectContaining({ check: 'read-models', table: 'rm_campaign_list', key: [event?.campaign] }),
    )
    expect(lines.at(-1)?.valid).toBe(false)
    expect(blob.rows).toHaveLength(1)
  })

  it('names every row of every read model that was changed or removed', async () => {
    const forged = await forgedRows(product.database.pool)
    const tables = new Set(forged.map(({ table }) => table))
    expect(tables.size).toBeGreaterThan(10)
    expect(forged.length).toBeGreaterThan(100)
    const { faults } = await verified()
    const named = new Set(faults.map(({ table, key }) => JSON.stringify([table, key])))
    expect(forged.filter(({ table, key }) => !named.has(JSON.stringify([table, key])))).toEqual([])
  })

  it('goes on where an interrupted call was, and forgets its state at the end', async () => {
    const state = join(product.dataDir, 'verify.json')
    await writeFile(
      state,
      JSON.stringify({
        version: 1,
        position: '0',
        events: 0,
        done: ['log', 'tree', 'read-models'],
        faults: [{ check: 'chain', message: 'x' }],
      }),
    )
    const { code, lines, faults } = await verified('--state', state)
    expect(faults[0]).toEqual({ check: 'chain', message: 'x' })
    expect(lines.flatMap(({ checked }) => checked?.check ?? [])).toEqual(['snapshots', 'ledger', 'files'])
    expect([code, existsSync(state)]).toEqual([1, false])
    await writeFile(state, '{"version":2}')
    expect((await verified('--state', state)).code).toBe(3)
    expect(await readFile(state, 'utf8')).toBe('{"version":2}')
    expect((await verified('--from', 'x')).code).toBe(2)
    expect((await verified('surplus')).code).toBe(2)
  })
})

/** Rows of one table that are forged, at most: the command names the first hundred that differ. */
const ROWS_OF_A_TABLE = 20

/** Another value of a column, by its type. */
const OTHER: Readonly<Record<string, (column: string) => string>> = {
  text: (column) => `coalesce(${column}, '') || 'x'`,
  smallint: (column) => `coalesce(${column}, 0) + 1`,
  integer: (column) => `coalesce(${column}, 0) + 1`,
  bigint: (column) => `coalesce(${column}, 0) + 1`,
  numeric: (column) => `coalesce(${column}, 0) + 1`,
  boolean: (column) => `not coalesce(${column}, false)`,
  jsonb: (column) => `jsonb_build_object('forged', ${column})`,
  date: (column) => `coalesce(${column}, '2026-01-01') + 1`,
  'timestamp with time zone': (column) => `coalesce(${column}, '2026-01-01') + interval '1 hour'`,
  ARRAY: (column) => `array_append(${column}, 'x')`,
}

/** Changes or removes rows of every read model, each in one column that is drawn; answers what was forged, as the command names it. */
async function forgedRows(pool: TestProduct['database']['pool']) {
  const forged: { readonly table: string; readonly key: readonly string[] }[] = []
  const { rows: tables } = await pool.query<{ view: string; physical: string }>(
    `select view_name as view, table_schema || '.' || table_name as physical from information_schema.view_table_usage
     where view_name like 'rm\\_%' order by view_name`,
  )
  for (const { view, physical } of tables) {
    const { rows: columns } = await pool.query<{ name: string; type: string; key: boolean }>(
      `select a.attname as name, c.data_type as type, a.attnum = any(i.indkey) as key
       from pg_attribute a
       join pg_index i on i.indrelid = a.attrelid and i.indisprimary
       join information_schema.columns c on c.table_schema || '.' || c.table_name = $1 and c.column_name = a.attname
       where a.attrelid = $1::regclass and a.attnum > 0 and a.attgenerated = ''
       order by array_position(i.indkey, a.attnum)`,
      [physical],
    )
    const keys = columns.filter(({ key }) => key).map(({ name }) => `"${name}"::text`)
    const others = columns.filter(({ key, type }) => !key && type in OTHER)
    const { rows } = await pool.query<{ place: string; key: readonly string[] }>(
      `select ctid::text as place, array[${keys.join(', ')}]::text[] as key from ${physical} order by random() limit ${ROWS_OF_A_TABLE}`,
    )
    for (const [n, { place, key }] of rows.entries()) {
      const column = others[Math.floor(Math.random() * others.length)]
      const statement =
        n % 4 === 0 || column === undefined
          ? `delete from ${physical} where ctid = $1::tid`
          : `update ${physical} set "${column.name}" = ${OTHER[column.type]?.(`"${column.name}"`)} where ctid = $1::tid`
      // A constraint that refuses the value has found the forgery before.
      const { rowCount } = await pool.query(statement, [place]).catch(() => ({ rowCount: 0 }))
      if (rowCount === 1) forged.push({ table: view, key })
    }
  }
  return forged
}
