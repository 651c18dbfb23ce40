import { ru as dates } from 'date-fns/locale/ru'
import accounts from './locales/ru/accounts.json'
import administration from './locales/ru/administration.json'
import approvals from './locales/ru/approvals.json'
import audiences from './locales/ru/audiences.json'
import audit from './locales/ru/audit.json'
import bidding from './locales/ru/bidding.json'
import billing from './locales/ru/billing.json'
import campaigns from './locales/ru/campaigns.json'
import chat from './locales/ru/chat.json'
import common from './locales/ru/common.json'
import controls from './locales/ru/controls.json'
import creatives from './locales/ru/creatives.json'
import customization from './locales/ru/customization.json'
import delivery from './locales/ru/delivery.json'
import events from './locales/ru/events.json'
import faults from './locales/ru/faults.json'
import form from './locales/ru/form.json'
import frequency from './locales/ru/frequency.json'
import geography from './locales/ru/geography.json'
import guide from './locales/ru/guide.json'
import help from './locales/ru/help.json'
import invoices from './locales/ru/invoices.json'
import labels from './locales/ru/labels.json'
import log from './locales/ru/log.json'
import moderation from './locales/ru/moderation.json'
import palette from './locales/ru/palette.json'
import notifications from './locales/ru/notifications.json'
import operations from './locales/ru/operations.json'
import overview from './locales/ru/overview.json'
import placement from './locales/ru/placement.json'
import profile from './locales/ru/profile.json'
import quickEdit from './locales/ru/quickEdit.json'
import registration from './locales/ru/registration.json'
import reports from './locales/ru/reports.json'
import schedule from './locales/ru/schedule.json'
import secrets from './locales/ru/secrets.json'
import settings from './locales/ru/settings.json'
import review from './locales/ru/review.json'
import search from './locales/ru/search.json'
import session from './locales/ru/session.json'
import shortcuts from './locales/ru/shortcuts.json'
import status from './locales/ru/status.json'
import targeting from './locales/ru/targeting.json'
import team from './locales/ru/team.json'
import timeline from './locales/ru/timeline.json'

/** Names of months and days in Russian. */
export const ruDates = dates

export const ru = {
  accounts,
  administration,
  approvals,
  audiences,
  audit,
  bidding,
  billing,
  campaigns,
  chat,
  common,
  controls,
  creatives,
  customization,
  delivery,
  events,
  faults,
  form,
  frequency,
  geography,
  guide,
  help,
  invoices,
  labels,
  log,
  moderation,
  palette,
  notifications,
  operations,
  overview,
  placement,
  profile,
  quickEdit,
  registration,
  reports,
  schedule,
  secrets,
  settings,
  review,
  search,
  session,
  shortcuts,
  status,
  targeting,
  team,
  timeline,
}
