/** Days for which what waits for a second person can be confirmed (fine print 87). */
export const APPROVAL_DAYS = 14
