/** Rate of ads with a reward in a new account, and the highest one. */
export const DEFAULT_REWARDED_RATE = 1
export const MOST_REWARDED_RATE = 1000
