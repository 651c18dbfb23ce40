import type { Kysely } from 'kysely'
import { listMonths, moveMonth } from '#factstore/postgres/month-places'
import type { Db } from '#migrations/db'
import { readConfig } from '../config.ts'
import { readArguments } from './arguments.ts'
import { onDatabase } from './opened.ts'
import { runTool } from './run-tool.ts'

const USAGE = `Usage:
  npm run facts -- months                                        the months of facts, their size with indexes, and their table space
  npm run facts -- move --before <yyyy-mm> --to <table space>    moves all months before that one to a table space

For facts in PostgreSQL: the embedded database in PLACARD_DATA_DIR, running or stopped, or DATABASE_URL. A table space is a folder on
another disk, made by "create tablespace"; pg_default is the one of the database. Reports of a month wait while it is moved. A move
that was interrupted is run again.`

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/
const MIB = 1024 ** 2

/** The command line for months of facts. Exit code 0 when all is done, 1 when not, 2 for a wrong call. */
async function main(): Promise<number> {
  const said = readArguments({ allowPositionals: true, options: { before: { type: 'string' }, to: { type: 'string' } } })
  const [command, ...rest] = said?.positionals ?? []
  const { before, to } = said?.values ?? {}
  const config = readConfig(process.env)
  if (rest.length === 0 && command === 'months' && before === undefined && to === undefined) return onDatabase(config, list)
  if (rest.length === 0 && command === 'move' && before !== undefined && MONTH.test(before) && to !== undefined)
    return onDatabase(config, (db) => move(db, before, to))
  console.error(USAGE)
  return 2
}

async function list(db: Kysely<Db>): Promise<number> {
  for (const { name, month, bytes, place } of await listMonths(db))
    console.log([month, name, `${Math.ceil(bytes / MIB)} MiB`, place].join('\t'))
  return 0
}

async function move(db: Kysely<Db>, before: string, to: string): Promise<number> {
  for (const one of await listMonths(db)) {
    if (one.month >= before) continue
    await moveMonth(db, one, to)
    console.log(`${one.name} is in ${to}.`)
  }
  return 0
}

void runTool(main)
