import { createHash } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Decrypter, generateIdentity, identityToRecipient } from 'age-encryption'
import { sendTable } from '#platform/backup/tables'
import { copyIn } from '#platform/database/copy-in'
import { migrateThrough } from '#migrations/index'
import fc from 'fast-check'
import type { FactStore } from '#factstore/fact-store'
import { createPostgresFactStore } from '#factstore/postgres/postgres-fact-store'
import { createKysely } from '#platform/database/pool'
import { ALL, expectSame, factIn, rollUp, world } from '../contract/fact-store.contract.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runTool } from '../support/command-line.ts'
import { faultsAfterDrill } from '../support/drill.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { S3_CREDENTIALS, startS3Server } from '../support/s3-server.ts'
import { png, signIn, startTestProduct, upload, type Session, type TestProduct } from '../support/product.ts'

/** A database on which nothing ever ran. */
const EMPTY = 'template0'
const DRAFT = { country: 'EG', budget: 50, bidding_strategy: { type: 'awareness' } }

type SavedTable = { readonly name: string; readonly columns: readonly string[]; readonly file: string; readonly sha256: string }

/** The columns of each table after these migrations. */
async function columnsThen(
  database: TestDatabase,
  migrations: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  await migrateThrough(createKysely(database.pool), migrations)
  const { rows } = await database.pool.query<{ name: string; columns: readonly string[] }>(
    `select table_schema || '.' || table_name as name, array_agg(quote_ident(column_name)) as columns
     from information_schema.columns group by 1`,
  )
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

/** Rows in PostgreSQL's binary format of COPY with these fields alone. */
function withoutFields(rows: Buffer, kept: readonly boolean[]): Buffer {
  const extension = 15 + rows.readInt32BE(15)
  let at = extension + 4
  const parts = [rows.subarray(0, at)]
  for (let fields = rows.readInt16BE(at); fields !== -1; fields = rows.readInt16BE(at)) {
    at += 2
    const count = Buffer.alloc(2)
    count.writeInt16BE(kept.filter(Boolean).length)
    parts.push(count)
    for (let n = 0; n < fields; n++) {
      const end = at + 4 + Math.max(0, rows.readInt32BE(at))
      if (kept[n]) parts.push(rows.subarray(at, end))
      at = end
    }
  }
  return Buffer.concat([...parts, rows.subarray(at)])
}

/** A table of a backup as a build wrote it that knew these columns. */
async function withoutLater(folder: string, table: SavedTable, known: readonly string[]): Promise<SavedTable> {
  const kept = table.columns.map((column) => known.includes(column))
  if (!kept.includes(false)) return table
  const path = join(folder, table.file)
  const bytes = gzipSync(withoutFields(gunzipSync(await readFile(path)), kept))
  await writeFile(path, bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { ...table, columns: table.columns.filter((_, n) => kept[n]), sha256 }
}

describe('a backup', () => {
  let product: TestProduct
  let place: string
  /** The folder of the backup. */
  let folder = ''
  let file = ''
  let token = ''
  /** Names that were acknowledged before the backup began, and while it ran. */
  const before: string[] = []
  const meanwhile: string[] = []
  const opened: { readonly database: TestDatabase; readonly dataDir: string }[] = []

  beforeAll(async () => {
    product = await startTestProduct()
    place = await mkdtemp(join(tmpdir(), 'placard-backup-'))
    const ada = await product.as('ada@nile.example')
    token = ada.token
    file = (await upload(product.base, token, await png(300, 250), 300, 250)).data.file_id
    for (let n = 0; n < 5; n++) before.push(await create(ada, `before ${n}`))
    let isOver = false
    const load = (async () => {
      for (let n = 0; !isOver; n++) meanwhile.push(await create(ada, `meanwhile ${n}`))
    })()
    const made = await backUp(product.database.url, product.dataDir)
    isOver = true
    await load
    expect(made).toMatchObject({ code: 0, err: '' })
    folder = made.out.split('\n')[0] ?? ''
  })
  afterAll(async () => {
    await product.stop()
    await rm(place, { recursive: true, force: true })
    for (const { database, dataDir } of opened) {
      await database.drop()
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
    }
  })

  async function create(session: Session, name: string): Promise<string> {
    const { code } = await session.call('POST', '/v1/campaign', { ...DRAFT, name })
    expect(code).toBe(0)
    return name
  }
  const backUp = (url: string, dataDir: string, args: readonly string[] = ['--to', place], env = {}) =>
    runTool('api/cli/backup.ts', args, url, { env: { PLACARD_DATA_DIR: dataDir, ...env } })
  const restore = (url: string, dataDir: string, from = folder, args: readonly string[] = [], env = {}) =>
    runTool('api/cli/restore.ts', ['--from', from, ...args], url, { env: { PLACARD_DATA_DIR: dataDir, ...env } })
  async function emptyPlace() {
    const one = { database: await createTestDatabase(EMPTY), dataDir: await mkdtemp(join(tmpdir(), 'placard-restored-')) }
    opened.push(one)
    return one
  }
  const namesOf = async (session: Session): Promise<readonly string[]> => {
    const found: string[] = []
    for (let page = 0; ; page++) {
      const { data } = await session.call<{ readonly data: readonly { readonly name: string }[] }>(
        'POST',
        '/v1/campaign/list/v2',
        {
          page,
          page_size: 100,
        },
      )
      found.push(...data.data.map(({ name }) => name))
      if (data.data.length < 100) return found
    }
  }

  it(
    'restores everything that was acknowledged before it began, as it was, into another place',
    { timeout: 240_000 },
    async () => {
      const { database, dataDir } = await emptyPlace()
      const restored = await restore(database.url, dataDir)
      expect(restored).toMatchObject({ code: 0, err: '' })
      // Numbers that were given out after the backup are at customers.
      expect(restored.out).toMatch(
        /^Invoices and credit notes of other white-labels go on after 10000: earlier numbers may be at/m,
      )
      const other = await startTestProduct({ DATABASE_URL: database.url, PLACARD_DATA_DIR: dataDir })
      try {
        // Sessions of before ended: one may have been ended since.
        const stale = await fetch(`${other.base}/v1/user/me`, { headers: { authorization: `Bearer ${token}` } })
        expect(stale.status).toBe(401)
        const [ada, here] = [await signIn(other.base, 'ada@nile.example'), await product.as('ada@nile.example')]
        const names = await namesOf(ada)
        expect(before.filter((name) => !names.includes(name))).toEqual([])
        // One instant: of what happened meanwhile, a beginning.
        expect(meanwhile.length).toBeGreaterThan(0)
        const kept = meanwhile.filter((name) => names.includes(name))
        expect(kept).toEqual(meanwhile.slice(0, kept.length))
        expect(names.filter((name) => !meanwhile.includes(name)).toSorted()).toEqual(
          (await namesOf(here)).filter((name) => !meanwhile.includes(name)).toSorted(),
        )
        const ledgerOf = async (session: Session) => {
          const { space_id } = (await session.call<{ readonly space_id: string }>('GET', '/v1/user/me')).data
          return (await session.call<{ readonly data: readonly object[] }>('GET', `/v1/space/${space_id}/ledger`)).data.data
        }
        expect(await ledgerOf(here)).not.toEqual([])
        expect(await ledgerOf(ada)).toEqual(await ledgerOf(here))
        const bytesOf = async ({ base }: { readonly base: string }, session: Session) =>
          Buffer.from(
            await (
              await fetch(`${base}/v1/file/cache/${file}`, { headers: { authorization: `Bearer ${session.token}` } })
            ).arrayBuffer(),
          )
        const bytes = await bytesOf(other, ada)
        expect(bytes.length).toBeGreaterThan(50)
        expect(bytes.equals(await bytesOf(product, here))).toBe(true)
        // Numbers go on: a new event has its own position.
        await create(ada, 'after the restore')
        expect(await namesOf(ada)).toContain('after the restore')
      } finally {
        await other.stop()
      }
      expect(await faultsAfterDrill(database.url, { PLACARD_DATA_DIR: dataDir })).toEqual([])
    },
  )

  it('holds facts with their months and rollups, and takes new ones after the restore', async () => {
    const own = world()
    const hours = ['2026-07-03T05:00:00.000Z', '2026-08-31T23:00:00.000Z', '2026-09-01T00:00:00.000Z']
    const facts = fc.sample(factIn(own), { numRuns: 60, seed: 7 }).map((fact, n) => ({ ...fact, hour: hours[n % 3]! }))
    const source = await createTestDatabase()
    const { database, dataDir } = await emptyPlace()
    const storeOn = ({ pool }: TestDatabase): FactStore => createPostgresFactStore(createKysely(pool))
    try {
      const store = storeOn(source)
      await store.store({ id: 'first', facts })
      await rollUp(store)
      const made = await backUp(source.url, dataDir)
      expect(made).toMatchObject({ code: 0, err: '' })
      expect(await restore(database.url, dataDir, made.out.split('\n')[0])).toMatchObject({ code: 0, err: '' })
      const restored = storeOn(database)
      await expectSame(restored, facts, ALL(own), 'exchange')
      // A batch counts once, here too.
      await restored.store({ id: 'first', facts })
      const late = [{ ...facts[0]!, hour: hours[0]! }]
      await restored.store({ id: 'late', facts: late })
      await expectSame(restored, [...facts, ...late], ALL(own), 'day')
    } finally {
      await source.drop()
    }
  })

  it('a backup of an earlier build is restored as it was, and then brought up to date; of a later one it is refused', async () => {
    const { database, dataDir } = await emptyPlace()
    const old = join(place, 'earlier')
    await cp(folder, old, { recursive: true })
    const path = join(old, 'manifest.json')
    const whole = JSON.parse(await readFile(path, 'utf8')) as {
      readonly migrations: readonly string[]
      readonly tables: readonly SavedTable[]
    }
    const migrations = whole.migrations.slice(0, 1)
    const then = await columnsThen((await emptyPlace()).database, migrations)
    const kept = whole.tables.flatMap((table) => {
      const known = then.get(table.name)
      return known === undefined ? [] : [withoutLater(old, table, known)]
    })
    const tables = await Promise.all(kept)
    expect(tables).not.toEqual(whole.tables)
    await writeFile(path, JSON.stringify({ ...whole, migrations: [...migrations, '9999_later'], tables }))
    expect((await restore(database.url, dataDir, old)).err).toContain('newer build (migration 9999_later)')
    await writeFile(path, JSON.stringify({ ...whole, migrations: ['0510_second_person'], tables }))
    expect((await restore(database.url, dataDir, old)).err).toContain('before version 0.2.0')
    // Interrupted once the tables were made, and repeated.
    await writeFile(path, JSON.stringify({ ...whole, migrations, tables: tables.slice(1) }))
    expect((await restore(database.url, dataDir, old)).err).toContain('the backup has no table')
    await writeFile(path, JSON.stringify({ ...whole, migrations, tables }))
    expect(await restore(database.url, dataDir, old)).toMatchObject({ code: 0, err: '' })
    const { rows } = await database.pool.query<{ people: number; rates: string | null }>(
      `select (select count(*)::int from identity.people) as people, (select string_agg(column_name, ' ')
         from information_schema.columns where table_name = 'files' and column_name = 'frame_rate') as rates`,
    )
    expect(rows).toEqual([{ people: expect.any(Number), rates: 'frame_rate' }])
    expect(rows[0]?.people).toBeGreaterThan(5)
  })

  it('leaves no timer of the driver behind: a finished copy would keep its process for half a minute', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const client = await product.database.pool.connect()
    try {
      const idle = timers()
      for (let n = 0; n < 5; n++) {
        await sendTable(client, { name: 'app.files', columns: ['id'] }, async (rows) => void (await text(rows)))
        await copyIn(client, 'copy app.blob_garbage (sha256) from stdin', [])
      }
      expect(timers() - idle).toBeLessThan(5)
    } finally {
      client.release()
    }
  })

  it('a backup is refused by a database on which the product ran', async () => {
    expect(await restore(product.database.url, product.dataDir)).toMatchObject({
      code: 1,
      err: expect.stringContaining('This database is not empty'),
    })
  })

  it('a backup is refused before anything is written where a part of it is damaged or missing', async () => {
    const { database, dataDir } = await emptyPlace()
    const path = join(folder, 'es.events.copy.gz')
    const whole = await readFile(path)
    const damaged = Buffer.from(whole)
    damaged[whole.length >> 1] = (damaged[whole.length >> 1] ?? 0) ^ 1
    const refusals: string[] = []
    const attempt = async () => {
      const { code, err } = await restore(database.url, dataDir)
      expect(code).toBe(1)
      refusals.push(err)
    }
    try {
      await writeFile(path, damaged)
      await attempt()
      await rm(path)
      await attempt()
    } finally {
      await writeFile(path, whole)
    }
    expect(refusals[0]).toContain('es.events.copy.gz is damaged')
    expect(refusals[1]).toContain('es.events.copy.gz is missing')
    const { rows } = await database.pool.query(`select to_regnamespace('es') is null as untouched`)
    expect(rows).toEqual([{ untouched: true }])
    expect((await restore(database.url, dataDir, place)).err).toContain('is no whole backup')
  })

  it(
    'goes to a bucket, encrypted for two recipients, and comes back by the identity of either',
    { timeout: 240_000 },
    async () => {
      const s3 = await startS3Server()
      const keys = await mkdtemp(join(tmpdir(), 'placard-age-'))
      try {
        const [first, second, other] = await Promise.all([generateIdentity(), generateIdentity(), generateIdentity()])
        const identityFile = async (name: string, identity: string) => {
          await writeFile(join(keys, name), `# created: 2026-11-27\n\n${identity}\n`)
          return ['--identity', join(keys, name)]
        }
        const [mine, foreign] = [await identityFile('second', second), await identityFile('other', other)]
        const recipients = await Promise.all([first, second].map(identityToRecipient))
        const env = { AWS_ACCESS_KEY_ID: S3_CREDENTIALS, AWS_SECRET_ACCESS_KEY: S3_CREDENTIALS }
        const to = `s3://${s3.bucket}/nightly?endpoint=${s3.endpoint}`
        const sealed = ['--to', to, ...recipients.flatMap((recipient) => ['--recipient', recipient])]
        const made = await backUp(product.database.url, product.dataDir, sealed, env)
        expect(made).toMatchObject({ code: 0, err: '' })
        const from = made.out.split('\n')[0] ?? ''
        expect(from).toMatch(/^s3:\/\/placard-test\/nightly\/[\dTZ.-]+\?endpoint=http:/)

        const names = await s3.keys()
        expect(names.some((name) => name.startsWith('nightly/files/'))).toBe(true)
        expect(names.filter((name) => !name.endsWith('.age'))).toEqual([])
        const events = names.find((name) => /es\.events\.copy\.gz\.[0-9a-f]{12}\.age$/.test(name)) ?? ''
        const bytes = await readFile(join(s3.folder, `${events}._S3rver_object`))
        expect(bytes.subarray(0, 21).toString()).toBe('age-encryption.org/v1')
        const decrypter = new Decrypter()
        decrypter.addIdentity(first)
        const plain = gunzipSync(await decrypter.decrypt(bytes)).toString()
        expect(plain).toContain('before 0')

        // A second one sends the stored files no second time.
        const files = names.filter((name) => name.startsWith('nightly/files/'))
        const before = s3.sent()
        expect(await backUp(product.database.url, product.dataDir, sealed, env)).toMatchObject({ code: 0 })
        expect((await s3.keys()).filter((name) => name.startsWith('nightly/files/')).toSorted()).toEqual(files.toSorted())
        expect(s3.sent() - before).toBeLessThan(names.length)

        // For a new recipient the same place holds them again: the old ones cannot be read by the new identity.
        const another = ['--to', to, '--recipient', await identityToRecipient(other)]
        expect(await backUp(product.database.url, product.dataDir, another, env)).toMatchObject({ code: 0 })
        expect((await s3.keys()).filter((name) => name.startsWith('nightly/files/'))).toHaveLength(2 * files.length)

        const { database, dataDir } = await emptyPlace()
        const refusals = [
          await restore(database.url, dataDir, from, [], env),
          await restore(database.url, dataDir, from, foreign, env),
          await restore(database.url, dataDir, from.replace('nightly', 'weekly'), mine, env),
        ]
        expect(refusals.map(({ code }) => code)).toEqual([1, 1, 1])
        expect(refusals[0]?.err).toContain('--identity')
        expect(refusals[2]?.err).toContain('is no whole backup')
        expect(await restore(database.url, dataDir, from, mine, env)).toMatchObject({ code: 0, err: '' })
        const { rows } = await database.pool.query<{ events: number }>('select count(*)::int as events from es.events')
        expect(rows[0]?.events).toBeGreaterThan(20)

        await s3.corrupt(events)
        const damaged = await emptyPlace()
        expect((await restore(damaged.database.url, damaged.dataDir, from, mine, env)).err).toMatch(
          /es\.events\.copy\.gz\?\S+ is damaged/,
        )
      } finally {
        await s3.close()
        await rm(keys, { recursive: true, force: true })
      }
    },
  )

  it('takes no malformed recipient, and does not repeat it', async () => {
    const { code, err } = await backUp(product.database.url, product.dataDir, ['--to', place, '--recipient', 'AGE-SECRET-KEY-1X'])
    expect([code, err.includes('SECRET-KEY-1X')]).toEqual([1, false])
    expect(err).toContain('the key for age is malformed')
  })

  it('shares stored files with the backups before, and says what it does not hold', async () => {
    const files = async () => (await readdir(join(place, 'files'), { recursive: true })).toSorted()
    const first = await files()
    expect(first.length).toBeGreaterThan(0)
    expect(await backUp(product.database.url, product.dataDir)).toMatchObject({ code: 0 })
    expect(await files()).toEqual(first)
    const elsewhere = await backUp(product.database.url, product.dataDir, ['--to', place], {
      FACTS_URL: 'http://placard:x@127.0.0.1:8123/facts',
    })
    expect(elsewhere).toMatchObject({ code: 2, err: expect.stringContaining('--facts-elsewhere') })
    expect(await backUp(product.database.url, product.dataDir, [])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Usage:'),
    })
  })

  // covers FP-20
  it('holds every table of the product, but for those that are filled again', async () => {
    const { tables } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as {
      readonly tables: readonly { readonly name: string; readonly rows: number }[]
    }
    const { rows } = await product.database.pool.query<{ name: string }>(`
      select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relispartition and n.nspname not in ('pg_catalog', 'information_schema')
        and c.relname !~ '^rm_'`)
    const saved = tables.map(({ name }) => name)
    expect(
      rows
        .map(({ name }) => name)
        .filter((name) => !saved.includes(name))
        .toSorted(),
    ).toEqual([
      'app.reservations', // Limits, which a crash empties too.
      'es.dead_letters', // Parked events of read models.
      'es.generations',
      'es.leases',
      'es.snapshots', // Folded from the log.
      'es.subscriptions',
      'public.kysely_migration',
      'public.kysely_migration_lock',
    ])
    expect(tables.find(({ name }) => name === 'identity.people')?.rows).toBeGreaterThan(5)
  })
})
