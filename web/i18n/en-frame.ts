import campaigns from './locales/en/campaigns.json'
import common from './locales/en/common.json'
import faults from './locales/en/faults.json'
import reports from './locales/en/reports.json'
import session from './locales/en/session.json'
import status from './locales/en/status.json'

/** Texts of the frame, the lists and whatever may be said anywhere. */
export const enFrame = { campaigns, common, faults, reports, session, status }
