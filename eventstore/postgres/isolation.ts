/**
 * Startup option of every connection whose statements meet those of others: a loser waits for the winner, sees what it left and goes on.
 * A database or a role may be set to give something stricter to those who ask for nothing, and losers would be failures there.
 */
export const READ_COMMITTED = String.raw`-c default_transaction_isolation=read\ committed`
