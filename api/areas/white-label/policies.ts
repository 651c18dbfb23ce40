import { systemContext } from '#domain/kit/event-metadata'
import { sql } from 'kysely'
import type { Sweep } from '#commands/sweep'
import type { WhiteLabelOwn } from './uses.ts'

/** Keeps what other tables and streams must say about white-labels in step with the log. */
export const whiteLabelSweeps = async ({ commands, db, derivedId }: WhiteLabelOwn): Promise<readonly Sweep[]> => [
  {
    name: 'suspended-white-labels',
    scan: async () => {
      const { rows } = await sql<{ id: string; suspended: boolean }>`
        select coalesce(w.whitelabel_id, s.whitelabel_id) as id, coalesce((w.state->>'suspended')::boolean, false) as suspended
        from rm_white_labels w full join identity.suspended_whitelabels s on s.whitelabel_id = w.whitelabel_id
        where coalesce((w.state->>'suspended')::boolean, false) <> (s.whitelabel_id is not null)`.execute(db)
      return rows.map(
        ({ id, suspended }) =>
          () =>
            suspended
              ? db
                  .insertInto('identity.suspended_whitelabels')
                  .values({ whitelabel_id: id })
                  .onConflict((conflict) => conflict.doNothing())
                  .execute()
              : db.deleteFrom('identity.suspended_whitelabels').where('whitelabel_id', '=', id).execute(),
      )
    },
  },
  {
    // The call that creates a white-label opens its house too; this is for one that ended between the two.
    name: 'houses-of-white-labels',
    scan: async () => {
      const { rows } = await sql<{ id: string; name: string }>`
        select w.whitelabel_id as id, w.state->'branding'->>'name' as name from rm_white_labels w
        where (w.state->>'created')::boolean
          and not exists (select 1 from rm_accounts a where a.house and a.whitelabel_id = w.whitelabel_id)`.execute(db)
      return rows.map(
        ({ id, name }) =>
          () =>
            commands.accounts.execute(derivedId('house', id), openedBy(derivedId('open-house', id)), {
              type: 'OpenAccount',
              spaceId: derivedId('house', id),
              whitelabelId: id,
              name,
              currency: 'USD',
              house: true,
            }),
      )
    },
  },
]

const openedBy = (commandId: string) => systemContext('white-labels', commandId, { correlation: commandId })
