import common from './locales/en/common.json'
import faults from './locales/en/faults.json'
import session from './locales/en/session.json'

/** Texts of signing in, and messages used everywhere. */
export const enFrame = { common, faults, session }
