import { sql, type Kysely } from 'kysely'
import { NOW } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import { readConfig } from '../config.ts'
import { readArguments } from './arguments.ts'
import { onDatabase } from './opened.ts'

const USAGE = `Usage:
  npm run mails -- list            mails that wait, and those that were given up, the newest first
  npm run mails -- retry <mail>    sends a given-up mail again, or a waiting one at once
  npm run mails -- retry --all     the same for all of them

Mails are kept for 30 days. Works on the embedded database in PLACARD_DATA_DIR, running or stopped, or on DATABASE_URL; a running
product sends them.`

/** Lines of one list. */
const MOST = 1000

/** The command line for the queue of mails. Exit code 0 when all is done, 1 when there is no such mail, 2 for a wrong call. */
async function main(): Promise<number> {
  const said = readArguments({ allowPositionals: true, options: { all: { type: 'boolean', default: false } } })
  const [command, id, ...rest] = said?.positionals ?? []
  const all = said?.values.all === true
  const isList = command === 'list' && id === undefined && !all
  const isRetry = command === 'retry' && (id === undefined) === all
  if (said === null || rest.length > 0 || !(isList || isRetry)) {
    console.error(USAGE)
    return 2
  }
  return onDatabase(readConfig(process.env), (db) => (isList ? list(db) : retry(db, id ?? null)))
}

async function list(db: Kysely<Db>): Promise<number> {
  const rows = await db
    .selectFrom('app.mails as m')
    .select(['m.id', 'm.template', 'm.attempts', 'm.failure'])
    .select((eb) => [
      sql<string>`to_json(${eb.ref('m.created_at')}) #>> '{}'`.as('created_at'),
      sql<string>`to_json(${eb.ref('m.next_at')}) #>> '{}'`.as('next_at'),
    ])
    .where('m.sent_at', 'is', null)
    .orderBy(sql`created_at`, 'desc')
    .orderBy('m.id')
    .limit(MOST)
    .execute()
  // No addresses: they are personal data, and the id is enough to send a mail again.
  for (const { id, template, created_at, attempts, failure, next_at } of rows)
    console.log([id, template, created_at, `${attempts} attempts`, failure ?? `waits, next attempt ${next_at}`].join('\t'))
  if (rows.length === 0) console.log('No mail waits, and none was given up.')
  return 0
}

/** The age counts from now on: what was given up after three days would be given up again. */
async function retry(db: Kysely<Db>, id: string | null): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('app.mails')
    .set({ failure: null, uncertain: false, attempts: 0, next_at: NOW, created_at: NOW })
    .where('sent_at', 'is', null)
    .$if(id !== null, (found) => found.where('id', '=', id))
    .executeTakeFirst()
  if (id !== null && numUpdatedRows === 0n) {
    console.error(`No mail ${id} waits or was given up.`)
    return 1
  }
  console.log(`${numUpdatedRows} mails are sent again.`)
  return 0
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  },
)
