import type { Kysely } from 'kysely'
import type { Db } from '#migrations/db'
import { listJobs, retryJobs, type JobFilter } from '#platform/jobs/job-store'
import { JOB_KINDS } from '../areas/index.ts'
import { readConfig } from '../config.ts'
import { readArguments } from './arguments.ts'
import { onDatabase } from './opened.ts'
import { runTool } from './run-tool.ts'

const USAGE = `Usage:
  npm run jobs -- list [--kind <kind>] [--dead]    jobs that are not finished, or those that were given up, the newest first
  npm run jobs -- retry <key> [--kind <kind>]      runs a job that was given up again, or a waiting one at once
  npm run jobs -- retry --kind <kind>              the same for all of a kind; with --all for all of them

Kinds: ${JOB_KINDS.join(', ')}; "sweep …" are items that a policy could not handle. "npm run mails" is the same for mails.
Jobs that were given up are kept for 30 days. Works on the embedded database in PLACARD_DATA_DIR, running or stopped, or on
DATABASE_URL; a running product carries them out.`

/** Lines of one list. */
const MOST = 1000

/** The command line for durable jobs. Exit code 0 when all is done, 1 when there is no such job, 2 for a wrong call. */
async function main(): Promise<number> {
  const said = readArguments({
    allowPositionals: true,
    options: { kind: { type: 'string' }, dead: { type: 'boolean', default: false }, all: { type: 'boolean', default: false } },
  })
  const [command, key = null, ...rest] = said?.positionals ?? []
  const { kind = null, dead = false, all = false } = said?.values ?? {}
  const isList = command === 'list' && key === null && !all
  const isRetry = command === 'retry' && !dead && (key !== null ? !all : all || kind !== null)
  if (
    said === null ||
    rest.length > 0 ||
    !(isList || isRetry) ||
    (kind !== null && !JOB_KINDS.includes(kind) && !kind.startsWith('sweep '))
  ) {
    console.error(USAGE)
    return 2
  }
  return onDatabase(readConfig(process.env), (db) => (isList ? list(db, kind, dead) : retry(db, { kind, key })))
}

async function list(db: Kysely<Db>, only: string | null, dead: boolean): Promise<number> {
  const jobs = await listJobs(db, { kind: only, dead, most: MOST })
  for (const { kind, key, payload, created, tries, ...job } of jobs) {
    const error = job.error === null ? '' : `: ${job.error}`
    const state = job.dead ? `given up${error}` : job.running ? 'running' : `waits, next try ${job.next}${error}`
    console.log([kind, key, JSON.stringify(payload), created, `${tries} tries`, state].join('\t'))
  }
  if (jobs.length === 0) console.log(dead ? 'No job was given up.' : 'No job waits, and none was given up.')
  return 0
}

async function retry(db: Kysely<Db>, filter: JobFilter): Promise<number> {
  const retried = await retryJobs(db, filter)
  if (filter.key !== null && retried === 0) {
    console.error(`No job ${filter.key} waits or was given up.`)
    return 1
  }
  console.log(`${retried} jobs run again.`)
  return 0
}

void runTool(main)
