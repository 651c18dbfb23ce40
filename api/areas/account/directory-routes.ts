import { languageOf } from '#domain/kit/languages'
import type { FastifyInstance } from 'fastify'
import { reachOf, type Actor } from '#domain/kit/access'
import { fromMicros } from '#domain/kit/money'
import { firstOfDirectory, pageOfDirectory, totalsOfDirectory, type DirectoryFilter } from '#projections/account/directory'
import { accountExcel, accountTotals, listAccounts, type AccountStatus } from '#contract/accounts'
import type { z } from '#contract/zod'
import { asOf, type Moment } from '../as-of.ts'
import type { Needs } from '../services.ts'
import type { Served } from '#api/areas/services'
import { periodOf, type Period } from '#api/http/period'
import { personOf } from '#api/http/person'
import { refused } from '#commands/refused'
import { register } from '#api/http/register'
import { daysOf } from './date-labels.ts'
import { recordOut } from './record.ts'
import { XLSX } from '#api/http/workbook'
import { accountsSheet } from './workbook.ts'

const PAGE_SIZE = 25
const MOST_ROWS = 150
/** Rows of a file. */
const MOST_IN_FILE = 100_000
/** Files are large. */
const FILES = { limit: 10, seconds: 60 }

type Asked = z.output<typeof accountTotals.input>

/** The list of accounts and registrants, its totals, and the list as a file. */
export function registerDirectoryRoutes(
  app: FastifyInstance,
  kit: Served<'db' | 'limits' | 'past' | 'people' | 'threads'>,
): void {
  const { db, guards, limits, people, threads } = kit

  const whitelabelOf = (actor: Actor) => (reachOf(actor, 'account.list') === 'all' ? null : actor.whitelabelId)
  const amongOf = (actor: Actor) => ({ whitelabelId: whitelabelOf(actor), spaceId: null })
  /** Those who registered after the moment were not there. */
  const until = ({ from, to }: Period, asOf: string | undefined): Period => ({
    from,
    to: asOf !== undefined && (to === null || to > asOf) ? asOf : to,
  })
  const filterOf = (actor: Actor, asked: Asked, then: Needs<'now'> & Moment = kit): DirectoryFilter => ({
    whitelabelId: whitelabelOf(actor),
    status: statusOf(asked),
    name: asked.name ?? '',
    search: asked.search ?? '',
    ...until(periodOf(daysOf(asked, then.now())), then.asOf),
  })

  register(app, guards, listAccounts, async (call) => {
    const { body } = call
    const size = Math.min(MOST_ROWS, Math.max(1, body.page_size ?? PAGE_SIZE))
    const page = Math.max(0, body.page ?? 0)
    const actor = personOf(call)
    const { rows, total } = await asOf(kit, call, { accounts: amongOf(actor), campaigns: amongOf(actor) }, (then) =>
      pageOfDirectory(then.db, {
        ...filterOf(actor, body, then),
        sort: body.sort ?? 'name',
        descending: body.descending ?? false,
        page,
        size,
      }),
    )
    return { current_page: page, page_size: size, total_size: total, data: rows.map(recordOut) }
  })

  register(app, guards, accountTotals, async (call) => {
    const actor = personOf(call)
    const { count, suspended, currencies } = await asOf(kit, call, { accounts: amongOf(actor) }, (then) =>
      totalsOfDirectory(then.db, filterOf(actor, call.body, then)),
    )
    const by = (of: 'balance' | 'spent') => Object.fromEntries(currencies.map((one) => [one.currency, fromMicros(one[of])]))
    return { count, suspended, balance: by('balance'), spent: by('spent') }
  })

  register(app, guards, accountExcel, async (call, reply) => {
    const { body } = call
    const actor = personOf(call)
    await limits.reserve([{ key: `accounts file ${actor.userId}`, ...FILES }])
    const rows = await firstOfDirectory(db, {
      ...filterOf(actor, body),
      sort: body.sort ?? 'name',
      descending: body.descending ?? false,
      page: 0,
      size: MOST_IN_FILE,
    })
    const language = languageOf((await people.find(actor.userId))?.language_key)
    const file = await threads.workbook(accountsSheet(recordsOf(rows), language))
    return reply
      .type(XLSX)
      .headers({ 'Content-Disposition': 'attachment; filename="accounts.xlsx"', 'X-Content-Type-Options': 'nosniff' })
      .send(file)
  })
}

function* recordsOf(rows: readonly Parameters<typeof recordOut>[0][]): Generator<ReturnType<typeof recordOut>> {
  for (const row of rows) yield recordOut(row)
}

const BY_KEY: Readonly<Record<number, AccountStatus>> = { 1: 'registered', 2: 'approved', 3: 'rejected', 5: 'active', 50: 'all' }

/** The state that a call filters by: a key counts before a name. */
function statusOf({ status, status_filter_key: key }: Asked): AccountStatus {
  if (key === null || key === undefined) return status ?? 'all'
  const named = BY_KEY[key]
  if (named === undefined) throw refused(133, [{ path: 'status_filter_key', code: 133, message: 'Status is not supported' }])
  return named
}
