import { sql, type Kysely } from 'kysely'

export type WhitelabelSettings = {
  /** Whether people may approve submissions that they made or submitted themselves (fine print 46). */
  readonly own_approval: boolean
}

const DEFAULTS: WhitelabelSettings = { own_approval: false }

/** What a white-label chose for itself. */
export function createWhitelabelSettings(db: Kysely<never>) {
  return {
    async read(whitelabelId: string): Promise<WhitelabelSettings> {
      const { rows } = await sql<WhitelabelSettings>`
        select own_approval from app.whitelabel_settings where whitelabel_id = ${whitelabelId}`.execute(db)
      return rows[0] ?? DEFAULTS
    },

    async write(whitelabelId: string, { own_approval }: WhitelabelSettings): Promise<void> {
      await sql`
        insert into app.whitelabel_settings (whitelabel_id, own_approval) values (${whitelabelId}, ${own_approval})
        on conflict (whitelabel_id) do update set own_approval = excluded.own_approval`.execute(db)
    },
  }
}
export type WhitelabelSettingsStore = ReturnType<typeof createWhitelabelSettings>
