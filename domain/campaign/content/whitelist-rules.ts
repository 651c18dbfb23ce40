/** Bounds of whitelist files (campaigns.md §5, decisions G-168). */

/** Size limit of a file, exclusive, bytes. */
export const WHITELIST_BYTES = 10_485_760
/** Most files of one space, and of one campaign. */
export const WHITELIST_COUNT = 5
