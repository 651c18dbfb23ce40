import administration from './locales/en/administration.json'
import bidding from './locales/en/bidding.json'
import controls from './locales/en/controls.json'
import creatives from './locales/en/creatives.json'
import delivery from './locales/en/delivery.json'
import events from './locales/en/events.json'
import form from './locales/en/form.json'
import frequency from './locales/en/frequency.json'
import geography from './locales/en/geography.json'
import log from './locales/en/log.json'
import moderation from './locales/en/moderation.json'
import placement from './locales/en/placement.json'
import profile from './locales/en/profile.json'
import registration from './locales/en/registration.json'
import reports from './locales/en/reports.json'
import targeting from './locales/en/targeting.json'
import { enFrame } from './en-frame.ts'

/** Every English text. It defines the type of the keys; pages import only their own texts, from `texts/`. */
export const en = {
  ...enFrame,
  administration,
  bidding,
  controls,
  creatives,
  delivery,
  events,
  form,
  frequency,
  geography,
  log,
  moderation,
  placement,
  profile,
  registration,
  reports,
  targeting,
}
