import type { Eraser } from '#platform/identity/erasure'
import type { MailTemplate } from '#commands/mail/template'
import type { Endpoint } from '#contract/http'
import type { Area } from './area.ts'
import { accounts } from './account/area.ts'
import { apiKeys } from './identity/api-keys/area.ts'
import { approvals } from './approvals/area.ts'
import { attention } from './attention/area.ts'
import { audiences } from './audience/area.ts'
import { audit } from './audit/area.ts'
import { auditFeed } from './audit/feed/area.ts'
import { campaigns } from './campaign/area.ts'
import { chat } from './chat/area.ts'
import { delivery } from './delivery/area.ts'
import { events } from './events/area.ts'
import { files } from './files/area.ts'
import { guide } from './guide/area.ts'
import { invoices } from './invoice/area.ts'
import { jobs } from './jobs/area.ts'
import { ledger } from './account/ledger/area.ts'
import { live } from './live/area.ts'
import { mail } from './mail/area.ts'
import { notifications } from './notifications/area.ts'
import { operations } from './operations/area.ts'
import { ownData } from './identity/own-data/area.ts'
import { passkeys } from './identity/passkeys/area.ts'
import { payments } from './payment/area.ts'
import { profile } from './identity/profile/area.ts'
import { reference } from './reference/area.ts'
import { registration } from './registration/area.ts'
import { reports } from './reports/area.ts'
import { schedules } from './schedule/area.ts'
import { scim } from './scim/area.ts'
import { security } from './identity/security/area.ts'
import { sessions } from './identity/sessions/area.ts'
import { singleSignOn } from './single-sign-on/area.ts'
import { team } from './identity/team/area.ts'
import { views } from './views/area.ts'
import { whiteLabel } from './white-label/area.ts'
import { whitelists } from './whitelists/area.ts'

/** Every area of the product. A new area is its folder and its line here. */
export const AREAS: readonly Area[] = [
  security,
  sessions,
  accounts,
  profile,
  apiKeys,
  passkeys,
  ownData,
  singleSignOn,
  scim,
  team,
  registration,
  whiteLabel,
  files,
  campaigns,
  audiences,
  audit,
  auditFeed,
  delivery,
  ledger,
  payments,
  invoices,
  approvals,
  events,
  reports,
  schedules,
  views,
  reference,
  whitelists,
  chat,
  guide,
  attention,
  notifications,
  live,
  mail,
  jobs,
  operations,
]

/** Every call of the product. */
export const ENDPOINTS: readonly Endpoint[] = AREAS.flatMap(({ endpoints }) => endpoints)

/** Every mail of the product, by the name under which it is queued. */
export const MAIL_TEMPLATES: Readonly<Record<string, MailTemplate>> = Object.assign({}, ...AREAS.map(({ mails }) => mails))

/** Every kind of durable job. */
export const JOB_KINDS: readonly string[] = AREAS.flatMap(({ jobKinds }) => jobKinds)

/** Erasers of all areas. */
export const ERASERS: readonly Eraser[] = AREAS.map(({ erase }) => erase)
