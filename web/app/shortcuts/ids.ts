/** Ids of shortcuts that other files leave out or run. */
export const HELP = 'shortcuts.help'
export const PALETTE = 'palette'
