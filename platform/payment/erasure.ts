import type { Transaction } from 'kysely'
import type { Db } from '#migrations/db'

/** Removes the name on the cards that a person added. */
export const removeHolder = (tx: Transaction<Db>, personId: string) =>
  tx.updateTable('app.cards').set({ holder_name: null }).where('added_by', '=', personId).execute()
