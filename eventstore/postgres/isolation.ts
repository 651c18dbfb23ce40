/**
 * Startup option of connections with concurrent writes: the loser of a race waits for the winner and then sees its rows. A
 * database or role may have a stricter default, under which the loser would fail.
 */
export const READ_COMMITTED = String.raw`-c default_transaction_isolation=read\ committed`
