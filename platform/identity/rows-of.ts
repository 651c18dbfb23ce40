import type { Transaction } from 'kysely'
import type { Db } from '#migrations/db'

type Tables =
  | 'app.chats'
  | 'app.closed_guides'
  | 'app.list_view_defaults'
  | 'app.list_views'
  | 'app.notification_choices'
  | 'app.notifications'
  | 'app.review_assignments'
  | 'app.review_holds'
  | 'app.saved_reports'
  | 'app.scheduled_changes'
  | 'app.second_looks'

/** Returns what removes the rows of a person from a table. */
export const removeRowsOf =
  (...tables: readonly Tables[]) =>
  async (tx: Transaction<Db>, personId: string): Promise<void> => {
    for (const table of tables) await tx.deleteFrom(table).where('person_id', '=', personId).execute()
  }
