import { sql, type Kysely } from 'kysely'
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

type Row = {
  readonly id: string
  readonly template: string
  readonly created_at: string
  readonly attempts: number
  readonly failure: string | null
  readonly next_at: string
}

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
  const { rows } = await sql<Row>`
    select id, template, to_json(created_at) #>> '{}' as created_at, attempts, failure, to_json(next_at) #>> '{}' as next_at
    from app.mails where sent_at is null order by created_at desc, id limit ${MOST}`.execute(db)
  // No addresses: they are personal data, and the id is enough to send a mail again.
  for (const { id, template, created_at, attempts, failure, next_at } of rows)
    console.log([id, template, created_at, `${attempts} attempts`, failure ?? `waits, next attempt ${next_at}`].join('\t'))
  if (rows.length === 0) console.log('No mail waits, and none was given up.')
  return 0
}

/** The age counts from now on: what was given up after three days would be given up again. */
async function retry(db: Kysely<Db>, id: string | null): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update app.mails set failure = null, uncertain = false, attempts = 0, next_at = now(), created_at = now()
    where sent_at is null and (id = ${id}::text or ${id}::text is null)`.execute(db)
  if (id !== null && numAffectedRows === 0n) {
    console.error(`No mail ${id} waits or was given up.`)
    return 1
  }
  console.log(`${numAffectedRows} mails are sent again.`)
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
