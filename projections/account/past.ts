import { sql } from 'kysely'
import { ACCOUNT_STREAMS } from '#domain/account/account'
import { changed, eventsUntil, isAmong, literal, pastTables, standBefore, type Among, type Then } from '../past/then.ts'
import { physicalSet } from '../projector/read-model.ts'
import { ACCOUNTS } from './accounts.ts'
import { accounts } from './read-model.ts'

/**
 * Lets accounts, their movements and history stand as they did then. What the ledger had not settled is in no balance of then: it
 * settles within a minute.
 */
export async function putAccounts(then: Then, among: Among): Promise<void> {
  const { tx, at } = then
  const tables = pastTables(accounts.tables)
  const { accounts: past, account_ledger: ledger } = physicalSet(ACCOUNTS, tables)
  const opened = await changed(
    tx,
    sql`select a.space_id as id from rm_accounts a where a.created_at <= ${at} and ${isAmong('a', 'space_id', among)}`,
  )
  await accounts.create(tx, tables)
  const loader = accounts.load?.(tables, async (read) => read(tx))
  for await (const events of eventsUntil(
    then,
    opened.map((id) => `${ACCOUNT_STREAMS}${id}`),
  ))
    await loader?.add(events)
  await loader?.take(true)(tx)
  // The own stream of an account has no spend but that of its first years; the books have the rest.
  await sql`
    update ${past} a set
      balance = live.balance - coalesce(since.moved, 0), spent = live.spent - coalesce(since.spent, 0),
      movements = live.movements - coalesce(since.movements, 0)
    from rm_accounts live left join (
      select l.space_id, sum(l.amount) as moved, -sum(l.amount) filter (where l.type = 'spend') as spent, count(*)::int as movements
      from rm_account_ledger l where l.at > ${at} and l.space_id = any(${[...opened]}) group by l.space_id
    ) since on since.space_id = live.space_id
    where live.space_id = a.space_id`.execute(tx)
  await sql`truncate ${ledger}`.execute(tx)
  await standBefore(tx, { base: 'accounts', alias: 'a', live: sql`false`, past: past.name })
  await standBefore(tx, { base: 'account_ledger', alias: 'l', live: sql`l.at <= ${literal(at)}` })
  await standBefore(tx, { base: 'account_history', alias: 'h', live: sql`h.at <= ${literal(at)}` })
  await sql`create temporary view unsettled_charges as select * from unsettled_charges where false`.execute(tx)
}
