import accounts from './locales/en/accounts.json'
import administration from './locales/en/administration.json'
import approvals from './locales/en/approvals.json'
import audiences from './locales/en/audiences.json'
import audit from './locales/en/audit.json'
import bidding from './locales/en/bidding.json'
import billing from './locales/en/billing.json'
import campaigns from './locales/en/campaigns.json'
import chat from './locales/en/chat.json'
import controls from './locales/en/controls.json'
import creatives from './locales/en/creatives.json'
import customization from './locales/en/customization.json'
import delivery from './locales/en/delivery.json'
import events from './locales/en/events.json'
import form from './locales/en/form.json'
import frequency from './locales/en/frequency.json'
import geography from './locales/en/geography.json'
import guide from './locales/en/guide.json'
import help from './locales/en/help.json'
import invoices from './locales/en/invoices.json'
import labels from './locales/en/labels.json'
import log from './locales/en/log.json'
import moderation from './locales/en/moderation.json'
import notifications from './locales/en/notifications.json'
import operations from './locales/en/operations.json'
import overview from './locales/en/overview.json'
import palette from './locales/en/palette.json'
import placement from './locales/en/placement.json'
import profile from './locales/en/profile.json'
import quickEdit from './locales/en/quickEdit.json'
import registration from './locales/en/registration.json'
import reports from './locales/en/reports.json'
import schedule from './locales/en/schedule.json'
import secrets from './locales/en/secrets.json'
import settings from './locales/en/settings.json'
import review from './locales/en/review.json'
import search from './locales/en/search.json'
import shortcuts from './locales/en/shortcuts.json'
import status from './locales/en/status.json'
import targeting from './locales/en/targeting.json'
import team from './locales/en/team.json'
import timeline from './locales/en/timeline.json'
import { enFrame } from './en-frame.ts'

/** Every English text. It defines the type of the keys; pages import only their own texts, from `texts/`. */
export const en = {
  ...enFrame,
  accounts,
  administration,
  approvals,
  audiences,
  audit,
  bidding,
  billing,
  campaigns,
  chat,
  controls,
  creatives,
  customization,
  delivery,
  events,
  form,
  frequency,
  geography,
  guide,
  help,
  invoices,
  labels,
  log,
  moderation,
  notifications,
  operations,
  overview,
  palette,
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
  shortcuts,
  status,
  targeting,
  team,
  timeline,
}
