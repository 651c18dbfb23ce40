import campaigns from './locales/en/campaigns.json'
import common from './locales/en/common.json'
import faults from './locales/en/faults.json'
import palette from './locales/en/palette.json'
import session from './locales/en/session.json'
import shortcuts from './locales/en/shortcuts.json'
import status from './locales/en/status.json'

/** Texts of the frame, the lists and messages used everywhere. */
export const enFrame = { campaigns, common, faults, palette, session, shortcuts, status }
