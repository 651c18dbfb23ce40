/** CI shares its processors with others: what takes a second elsewhere may take three there. */
export const TIMEOUT_FACTOR = process.env['CI'] === 'true' ? 3 : 1
