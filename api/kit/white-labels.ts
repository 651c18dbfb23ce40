import { sql, type Kysely } from 'kysely'

export type WhiteLabelChoices = {
  /** Whether users may approve submissions that they made or submitted themselves (fine print 46). */
  readonly own_approval: boolean
}

const DEFAULTS: WhiteLabelChoices = { own_approval: false }

/** Settings of white-labels; a white-label without a row has the defaults. */
export function createWhiteLabelSettings(db: Kysely<never>) {
  return {
    async read(whitelabelId: string): Promise<WhiteLabelChoices> {
      const { rows } = await sql<WhiteLabelChoices>`
        select own_approval from app.whitelabel_settings where whitelabel_id = ${whitelabelId}`.execute(db)
      return rows[0] ?? DEFAULTS
    },

    async write(whitelabelId: string, { own_approval }: WhiteLabelChoices): Promise<void> {
      await sql`
        insert into app.whitelabel_settings (whitelabel_id, own_approval) values (${whitelabelId}, ${own_approval})
        on conflict (whitelabel_id) do update set own_approval = excluded.own_approval`.execute(db)
    },
  }
}
export type WhiteLabelSettings = ReturnType<typeof createWhiteLabelSettings>
