import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'
import type { SecurityEvent } from '#commands/identity/forward-security-events'
import { shownEvents } from './security-log.ts'

/** How far security events were sent to a receiver outside; an empty destination stands for none. */
export const createSecurityForwarding = (db: Kysely<Db>, destination: string) => ({
  /** Forgets other receivers: one that is named again gets what happens from then on. */
  async begin(): Promise<void> {
    await db.deleteFrom('app.security_forwarding').where('destination', '<>', destination).execute()
  },

  /** Events after an id, in order: ids are assigned and committed in the same order. */
  read: (after: bigint, limit: number): Promise<readonly SecurityEvent[]> =>
    shownEvents(db).where('e.id', '>', after).orderBy('e.id').limit(limit).execute(),

  /** The newest event that was sent; at the first start with this receiver, the newest there is: what was before is in the log. */
  async position(): Promise<bigint> {
    await sql`
      insert into app.security_forwarding (destination, position)
      select ${destination}, coalesce(max(id), 0) from app.security_events
      on conflict do nothing`.execute(db)
    const rows = db.selectFrom('app.security_forwarding').select('position')
    const { position } = await rows.where('destination', '=', destination).executeTakeFirstOrThrow()
    return position
  },

  async moveTo(position: bigint): Promise<void> {
    await db
      .updateTable('app.security_forwarding')
      .set({ position })
      .where('destination', '=', destination)
      .where('position', '<', position)
      .execute()
  },
})
