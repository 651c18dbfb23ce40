/** Bounds of whitelist files (campaign.md §5, decisions G-168). */

/** A file is smaller than this, bytes. */
export const WHITELIST_BYTES = 10_485_760
/** Files of one space, and of one campaign. */
export const WHITELIST_COUNT = 5
