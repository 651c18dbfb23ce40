/** Status keys and their string forms (campaigns.md §4, decisions G-057 and G-058). 50 is a filter, never a status. */
export const STATUS = {
  0: 'draft',
  1: 'in_moderation',
  2: 'rejected',
  3: 'running',
  5: 'archived',
  6: 'waiting_for_ad_exchange',
  31: 'running_daily_budget_reached',
  40: 'waiting_to_start',
  41: 'paused',
  42: 'finished_budget_spent',
  43: 'finished_overdue',
  44: 'paused_due_to_user_balance_spent',
  45: 'paused_pending_balance_validation',
} as const
export type StatusKey = keyof typeof STATUS
/** The keys by their string forms. */
export const STATUS_KEY = Object.fromEntries(Object.entries(STATUS).map(([key, name]) => [name, Number(key)])) as unknown as {
  readonly [Key in StatusKey as (typeof STATUS)[Key]]: Key
}
export const STATUS_KEYS: readonly StatusKey[] = [0, 1, 2, 3, 5, 6, 31, 40, 41, 42, 43, 44, 45]

/** The filter value that means every status. */
export const STATUS_ALL = 50
