// Apart from the calls, so that the addresses of the application need not load them.

/** The columns that the list of accounts is sorted by. */
export const ACCOUNT_SORTS = ['name', 'created_at', 'balance', 'spent'] as const
/** The named periods of the list. */
export const DATE_LABELS = [
  'today',
  'yesterday',
  'last_7_days',
  'last_30_days',
  'this_month',
  'past_month',
  'last_365_days',
] as const
