import { sql, type Transaction } from 'kysely'

/**
 * For work on rows that nobody else waits for: a statement of this transaction may go through whole tables, and between two of
 * them the log may be read. Not for ever: who hangs in a transaction keeps the server from clearing away what others left.
 */
export const unhurried = (trx: Transaction<never>) =>
  sql`
    select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '10min', true)`.execute(
    trx,
  )
