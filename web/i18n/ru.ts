import campaigns from './locales/ru/campaigns.json'
import common from './locales/ru/common.json'
import faults from './locales/ru/faults.json'
import form from './locales/ru/form.json'
import log from './locales/ru/log.json'
import moderation from './locales/ru/moderation.json'
import session from './locales/ru/session.json'
import status from './locales/ru/status.json'

export const ru = { campaigns, common, faults, form, log, moderation, session, status }
