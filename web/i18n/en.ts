import administration from './locales/en/administration.json'
import bidding from './locales/en/bidding.json'
import campaigns from './locales/en/campaigns.json'
import common from './locales/en/common.json'
import creatives from './locales/en/creatives.json'
import faults from './locales/en/faults.json'
import form from './locales/en/form.json'
import frequency from './locales/en/frequency.json'
import geography from './locales/en/geography.json'
import log from './locales/en/log.json'
import moderation from './locales/en/moderation.json'
import placement from './locales/en/placement.json'
import reports from './locales/en/reports.json'
import session from './locales/en/session.json'
import shortcuts from './locales/en/shortcuts.json'
import status from './locales/en/status.json'
import targeting from './locales/en/targeting.json'

export const en = {
  administration,
  bidding,
  campaigns,
  common,
  creatives,
  faults,
  form,
  frequency,
  geography,
  log,
  moderation,
  placement,
  reports,
  session,
  shortcuts,
  status,
  targeting,
}
