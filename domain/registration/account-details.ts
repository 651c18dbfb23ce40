/** What staff note about an account that they add (platform.md §3). */

export const ACCOUNT_TYPES = ['freelancer', 'agency', 'brand'] as const

/** Where an account came from. `{product}_ads` is shown as ads of the product; `other` is replaced by a text of its own. */
export const ACCOUNT_SOURCES = [
  'linkedin_ad',
  'linkedin_personal_network',
  'cold_email',
  'google_ads',
  '{product}_ads',
  'referred',
  'other',
] as const

/** White-labels that an account can be added to. */
export const ACCOUNT_WHITE_LABELS = ['am', 'ng', 'tn', 'dsp'] as const

/** Rate of ads with a reward in a new account, and the highest one. */
export const DEFAULT_REWARDED_RATE = 1
export const MOST_REWARDED_RATE = 1000
