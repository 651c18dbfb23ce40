/** Limits of SCIM (fine print 85), which the contract and the screen know too. */

/** Tokens of a white-label: two, so that one can replace the other. */
export const MOST_SCIM_TOKENS = 2
/** Operations and members in one call. */
export const MOST_OPERATIONS = 100
export const MOST_MEMBERS = 500
/** Resources of a page. */
export const MOST_ON_PAGE = 200
/** Longest filter, characters, and its deepest nesting of brackets and `not`. */
export const FILTER_LENGTH = 2000
export const FILTER_DEPTH = 20
