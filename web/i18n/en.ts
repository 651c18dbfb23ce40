import campaigns from './locales/en/campaigns.json'
import common from './locales/en/common.json'
import faults from './locales/en/faults.json'
import form from './locales/en/form.json'
import log from './locales/en/log.json'
import moderation from './locales/en/moderation.json'
import session from './locales/en/session.json'
import status from './locales/en/status.json'

export const en = { campaigns, common, faults, form, log, moderation, session, status }
