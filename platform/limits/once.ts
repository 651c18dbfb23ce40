import { sql, type Kysely } from 'kysely'
import { refused } from '#commands/refused'
import type { Once } from '#commands/once'
import { openRow, sealRow } from '#eventstore/postgres/sealed-columns'
import type { Db, SealedJson } from '#migrations/db'

/** The answer stored under a key, if any, and the number of erasures by then. */
type Asked = {
  readonly erasures: string | null
  readonly body_hash: string | null
  readonly answer: SealedJson | null
}

const PURGE_EVERY_MS = 600_000

/**
 * Stored answers of keyed commands, kept for a day. Only successes are stored: a refused command is decided again (fine print
 * 17). The log recognises a repeat of any command that appended something, by the command id, so losing its row loses nothing; a
 * command that changed nothing is known only here, and is decided again if its row is lost. Old rows are removed concurrently;
 * `onError` receives failures of that removal, which is retried later.
 */
export function createOnce(db: Kysely<Db>, onError: (error: unknown) => void): Once {
  const running = new Map<string, Promise<unknown>>()
  let purgeDue = 0

  /** Periodically removes expired answers. */
  async function purge(): Promise<void> {
    if (Date.now() < purgeDue) return
    purgeDue = Date.now() + PURGE_EVERY_MS
    await db
      .deleteFrom('app.answers')
      .where('created_at', '<=', sql<Date>`now() - interval '24 hours'`)
      .execute()
  }

  return async function once({ user, route, key, bodyHash }, run) {
    const name = JSON.stringify([user, route, key])
    // A concurrent repeat waits for the first, and then finds its answer in the table.
    while (running.has(name)) await running.get(name)?.catch(() => undefined)
    const first = answer()
    running.set(name, first)
    try {
      return await first
    } finally {
      running.delete(name)
    }

    async function answer(): Promise<unknown> {
      const { rows } = await sql<Asked>`
        select (select count::text from app.erasures) as erasures, body_hash, answer
        from (values (1)) as asked
        left join app.answers on user_id = ${user} and route = ${route} and key = ${key}
          and created_at > now() - interval '24 hours'`.execute(db)
      const { erasures = null, body_hash = null, answer: known = null } = rows[0] ?? {}
      if (known !== null) {
        if (body_hash !== bodyHash) throw refused(141)
        const { answer: opened } = openRow(db, 'app.answers', name, { answer: known })
        return (opened as { readonly data: unknown }).data
      }
      const data = await run()
      // Not stored after a concurrent erasure, because the answer may name the erased person. A running erasure is waited for, by
      // its lock on the table
      // ("an answer with a personal name is not stored behind an erasure that has removed the others and is about to commit").
      await sql`
        insert into app.answers (user_id, route, key, body_hash, answer)
        select ${user}, ${route}, ${key}, ${bodyHash}, ${sealRow(db, 'app.answers', name, { answer: { data } }).answer}::json
        where (select count::text from app.erasures) is not distinct from ${erasures}
        on conflict (user_id, route, key) do update
          set body_hash = excluded.body_hash, answer = excluded.answer, created_at = now()
          where app.answers.created_at <= now() - interval '24 hours'`.execute(db)
      void purge().catch(onError)
      return data
    }
  }
}
