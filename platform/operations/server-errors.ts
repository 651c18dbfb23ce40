import { sql, type Kysely } from 'kysely'
import type { RecentError } from '#commands/operations/recent-errors'
import { isoText } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import type { ThisProcess } from './processes.ts'
import { beginning } from '#domain/kit/text'

/** Errors that are kept, of all processes together. */
const MOST_KEPT = 200
/** Characters of a message that are kept. */
const MOST_OF_MESSAGE = 500

export type StoredError = RecentError & { readonly id: string; readonly host: string; readonly pid: number }

/** Stores errors of a process, and removes all but the newest 200. */
export async function storeErrors(
  db: Kysely<Db>,
  { host, pid }: Pick<ThisProcess, 'host' | 'pid'>,
  errors: readonly RecentError[],
): Promise<void> {
  if (errors.length === 0) return
  const rows = errors.map(({ message, ...error }) => ({ ...error, host, pid, message: beginning(message, MOST_OF_MESSAGE) }))
  await db.insertInto('app.server_errors').values(rows).execute()
  await sql`
    delete from app.server_errors
    where id <= (select id from app.server_errors order by id desc offset ${MOST_KEPT} limit 1)`.execute(db)
}

/** A page of the errors, or of those of one request, the newest first, and how many there are. */
export async function listErrors(
  db: Kysely<Db>,
  asked: { readonly requestId: string | null; readonly page: number; readonly size: number },
): Promise<{ readonly rows: readonly StoredError[]; readonly total: number }> {
  const { requestId, page, size } = asked
  const found = db.selectFrom('app.server_errors').$if(requestId !== null, (all) => all.where('request_id', '=', requestId))
  const rows = await found
    .select(['host', 'pid', 'request_id', 'route', 'status', 'message'])
    .select((eb) => [sql<string>`id::text`.as('id'), isoText(eb.ref('at')).as('at')])
    .orderBy('id', 'desc')
    .limit(size)
    .offset(page * size)
    .execute()
  const { total } = await found.select((eb) => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}
