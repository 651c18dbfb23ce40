import { sql, type Kysely } from 'kysely'
import { refused } from '../refused.ts'
import type { Doorkeepers } from './register.ts'

const PURGE_EVERY_MS = 600_000

/**
 * Stored answers of keyed commands, kept for a day. Only successes are stored: a refusal is tried anew (fine print 17). The
 * log itself knows a repeat too, through the command id, so losing a row here loses nothing.
 */
export function createOnce(db: Kysely<never>): Doorkeepers['once'] {
  const running = new Map<string, Promise<unknown>>()
  let purgeDue = 0

  /** Answers that nobody can ask for any more, now and then. */
  async function purge(): Promise<void> {
    if (Date.now() < purgeDue) return
    purgeDue = Date.now() + PURGE_EVERY_MS
    await sql`delete from app.answers where created_at <= now() - interval '24 hours'`.execute(db)
  }

  return async function once({ user, route, key, bodyHash }, run) {
    const name = JSON.stringify([user, route, key])
    // A concurrent repeat waits for the first; what that one did is then found in the table.
    while (running.has(name)) await running.get(name)?.catch(() => undefined)
    const first = answer()
    running.set(name, first)
    try {
      return await first
    } finally {
      running.delete(name)
    }

    async function answer(): Promise<unknown> {
      const { rows } = await sql<{ body_hash: string; answer: { data: unknown } }>`
        select body_hash, answer from app.answers
        where user_id = ${user} and route = ${route} and key = ${key} and created_at > now() - interval '24 hours'`.execute(db)
      const known = rows[0]
      if (known !== undefined) {
        if (known.body_hash !== bodyHash) throw refused(141)
        return known.answer.data
      }
      const data = await run()
      await sql`
        insert into app.answers (user_id, route, key, body_hash, answer)
        values (${user}, ${route}, ${key}, ${bodyHash}, ${JSON.stringify({ data })}::json)
        on conflict (user_id, route, key) do update
          set body_hash = excluded.body_hash, answer = excluded.answer, created_at = now()
          where app.answers.created_at <= now() - interval '24 hours'`.execute(db)
      await purge()
      return data
    }
  }
}
