import { LANGUAGE_CODES, WIRE_LOCALES } from '#domain/kit/languages'
import { TAX_MODES } from '#domain/invoice/tax'
import { MONEY_LIMIT } from '#domain/kit/money'
import { asOfQuery, endpoint, named, position } from './http.ts'
import { cannedReason, checklistLine } from './review-guidelines.ts'
import { branding, shownSettings, whitelabelInfo } from './white-label-info.ts'
import { z } from './zod.ts'

/** Largest texts on the wire: the domain has tighter rules, and names what is wrong. */
const text = z.nullable(z.string().check(z.maxLength(5000)))

const choices = {
  own_approval: z
    .boolean()
    .check(z.describe('People may approve submissions that they made or submitted themselves; off by default')),
  second_factor_required: z
    .boolean()
    .check(z.describe('Staff sign in with a second factor; on by default, off with the demo (fine print 95)')),
  staff_idle_minutes: z
    .nullable(z.number())
    .check(z.describe('A session of staff ends after so many minutes without use, 5 to 1440; null, the default, for never')),
  staff_networks: z
    .array(z.string().check(z.maxLength(100)))
    .check(
      z.describe('Addresses, ranges and CIDRs from which staff may sign in and work, at most 50; empty, the default, for all'),
    ),
  payment_approval_limit: z
    .nullable(z.number().check(z.gte(0), z.lte(MONEY_LIMIT)))
    .check(
      z.describe(
        'Money by hand of a user beyond this sum in a day is confirmed by a second person, and so is a higher limit; null, the default, for overpayments alone',
      ),
    ),
  second_person_for_roles: z
    .boolean()
    .check(z.describe('What gives staff a role is confirmed by a second person, and so is the end of this rule; off by default')),
  invoice_automatically: z
    .boolean()
    .check(z.describe('Monthly invoices are issued and sent at once; off by default: they wait as drafts')),
  api_key_days: z
    .nullable(z.number())
    .check(z.describe('The longest life of API keys and service credentials, 1 to 366 days; null, the default, for 90')),
  api_keys_exchange_only: z
    .boolean()
    .check(
      z.describe(
        'API keys are no bearer tokens, and only exchanged for access tokens (grant_type=client_credentials); off by default',
      ),
    ),
  switch_reason_required: z
    .boolean()
    .check(z.describe('Staff give a reason when they switch into an account, which the security log keeps; off by default')),
  reject_reasons: z
    .array(cannedReason)
    .check(
      z.maxLength(1000),
      z.describe(
        'Canned reasons for rejections in the order of the list, at most 100; empty, the default, for those of the product',
      ),
    ),
  review_checklist: z
    .array(checklistLine)
    .check(z.maxLength(1000), z.describe('What moderators check in a submission, at most 30 lines; empty by default')),
  second_look_share: z
    .number()
    .check(z.describe('Percentage of the approvals that a second moderator checks, 0 to 100; 5 by default (fine print 104)')),
  banned_words: z
    .array(z.string().check(z.maxLength(5000)))
    .check(
      z.maxLength(5000),
      z.describe(
        'Words that simple checks of submissions find, at most 500 of 100 characters; empty by default (fine print 104)',
      ),
    ),
} as const

const taxMode = z.enum(TAX_MODES)
const taxRate = z.int().check(z.describe('Basis points: 2000 is 20 %; 0 without a tax'))

/** Texts of invoices: the seller, how to pay, and the tax. Empty texts are not printed. */
const invoicing = z.object({
  legal_name: z.string(),
  address_line_1: z.string(),
  address_line_2: z.string(),
  city: z.string(),
  postal_code: z.string(),
  country: z.string().check(z.describe('ISO 3166-1 alpha-2, or empty')),
  tax_number: z.string(),
  email: z.string(),
  bank_name: z.string(),
  bank_account: z.string(),
  bank_code: z.string(),
  payment_link: z.string(),
  payment_terms: z.string(),
  tax_mode: taxMode,
  tax_rate: taxRate,
})
const sentText = z.optional(z.string().check(z.maxLength(5000)))
const sentInvoicing = z.object({
  legal_name: sentText,
  address_line_1: sentText,
  address_line_2: sentText,
  city: sentText,
  postal_code: sentText,
  country: sentText,
  tax_number: sentText,
  email: sentText,
  bank_name: sentText,
  bank_account: sentText,
  bank_code: sentText,
  payment_link: sentText,
  payment_terms: sentText,
  tax_mode: z.optional(taxMode),
  tax_rate: z.optional(taxRate),
})

const whiteLabel = named(
  'WhiteLabel',
  z.object({
    ...branding,
    suspended: z.boolean(),
    house_space_id: z.string().check(z.describe('The account of its staff: POST /v1/space/{id}/team/invite invites them')),
    whitelabel_settings: z.extend(shownSettings, choices),
    invoicing,
  }),
)
export type WhiteLabelOut = z.infer<typeof whiteLabel>

const stored = z.extend(whiteLabel, { position })

const ID = z.object({ id: z.string() })

export const readWhiteLabel = endpoint({
  id: 'whitelabel.get',
  method: 'GET',
  path: '/v1/whitelabel/:id',
  access: 'whitelabel.customise',
  summary: 'A white-label with its settings',
  params: ID,
  query: asOfQuery,
  output: whiteLabel,
  reads: ['white-labels'],
})

export const saveWhiteLabel = endpoint({
  id: 'whitelabel.save',
  method: 'PUT',
  path: '/v1/whitelabel/:id',
  access: 'whitelabel.customise',
  stepUp: 'session',
  summary: 'Save the name, branding and settings of a white-label; fields that are left out stay as they are',
  params: ID,
  body: 'json',
  input: z.object({
    name: z.optional(z.string().check(z.maxLength(5000))),
    time_zone: z.nullish(z.string().check(z.maxLength(300))),
    timezone_offset_seconds: z.optional(z.int()),
    file_id: z.optional(text),
    invoicing: z.optional(sentInvoicing),
    whitelabel_settings: z.optional(
      z.object({
        term_of_service_url: z.optional(text),
        help_url: z.optional(text),
        primary_color: z.optional(text),
        secondary_color: z.optional(text),
        warning_color: z.optional(text),
        gauge_color: z.optional(text),
        default_locale: z.optional(z.enum(WIRE_LOCALES)),
        own_approval: z.optional(choices.own_approval),
        second_factor_required: z.optional(choices.second_factor_required),
        staff_idle_minutes: z.optional(choices.staff_idle_minutes),
        staff_networks: z.optional(choices.staff_networks),
        payment_approval_limit: z.optional(choices.payment_approval_limit),
        second_person_for_roles: z.optional(choices.second_person_for_roles),
        invoice_automatically: z.optional(choices.invoice_automatically),
        api_key_days: z.optional(choices.api_key_days),
        api_keys_exchange_only: z.optional(choices.api_keys_exchange_only),
        switch_reason_required: z.optional(choices.switch_reason_required),
        reject_reasons: z.optional(choices.reject_reasons),
        review_checklist: z.optional(choices.review_checklist),
        second_look_share: z.optional(choices.second_look_share),
        banned_words: z.optional(choices.banned_words),
      }),
    ),
  }),
  output: z.extend(stored, { approval_id: z.nullable(z.string()) }),
  reads: [],
  command: true,
})

export const listWhiteLabels = endpoint({
  id: 'whitelabel.list',
  method: 'GET',
  path: '/v1/whitelabel',
  access: 'whitelabel.manage',
  summary: 'Every white-label, by id',
  output: z.object({ data: z.array(whiteLabel) }),
  reads: ['white-labels'],
})

export const createWhiteLabel = endpoint({
  id: 'whitelabel.create',
  method: 'POST',
  path: '/v1/whitelabel',
  access: 'whitelabel.manage',
  summary: 'Create a white-label with the house account of its staff; the id is the first label of its host names',
  body: 'json',
  input: z.object({
    id: z.string().check(z.maxLength(300)),
    name: z.string().check(z.maxLength(5000)),
    time_zone: z.nullish(z.string().check(z.maxLength(300))),
    timezone_offset_seconds: z.optional(z.int()),
    owner_email: z
      .optional(z.string().check(z.maxLength(300)))
      .check(z.describe('Whom a mail invites as the first owner; naming one needs a proof, as every invitation does')),
  }),
  output: stored,
  reads: [],
  command: true,
})

export const suspendWhiteLabel = endpoint({
  id: 'whitelabel.suspend',
  method: 'POST',
  path: '/v1/whitelabel/:id/suspend',
  access: 'whitelabel.manage',
  stepUp: 'session',
  summary: 'Suspend a white-label: its users cannot sign in, and open sessions end; the default one cannot be suspended',
  params: ID,
  body: 'json',
  input: z.object({ reason: z.optional(z.string().check(z.maxLength(5000))) }),
  output: stored,
  reads: [],
  command: true,
})

export const restoreWhiteLabel = endpoint({
  id: 'whitelabel.restore',
  method: 'POST',
  path: '/v1/whitelabel/:id/restore',
  access: 'whitelabel.manage',
  stepUp: 'session',
  summary: 'Restore a suspended white-label',
  params: ID,
  output: stored,
  reads: [],
  command: true,
})

/** Only what was always on the wire here: the other settings are fields of the white-label. */
const settings = z.object({ own_approval: choices.own_approval })

export const readSettings = endpoint({
  id: 'whitelabel.settings',
  method: 'GET',
  path: '/v1/whitelabel/settings',
  access: 'whitelabel.customise',
  summary: "Settings of the caller's white-label",
  query: asOfQuery,
  output: settings,
  reads: ['white-labels'],
})

export const saveSettings = endpoint({
  id: 'whitelabel.saveSettings',
  reads: [],
  method: 'PUT',
  path: '/v1/whitelabel/settings',
  access: 'whitelabel.customise',
  stepUp: 'session',
  summary: "Save the settings of the caller's white-label",
  body: 'json',
  input: settings,
  output: z.extend(settings, { position }),
  command: true,
})

/** Unsaved values that a preview shows in place of the saved ones. */
const unsaved = {
  name: z.optional(z.string().check(z.maxLength(5000))),
  primary_color: z.optional(text),
  language: z.enum(LANGUAGE_CODES),
} as const

export const previewInvoice = endpoint({
  id: 'whitelabel.previewInvoice',
  method: 'POST',
  path: '/v1/whitelabel/:id/preview/invoice',
  access: 'whitelabel.customise',
  summary: 'An example of an invoice as a PDF, with what is saved or, where fields are given, with them; saves nothing',
  params: ID,
  body: 'json',
  input: z.object({ ...unsaved, invoicing: z.optional(sentInvoicing) }),
  output: z.unknown(),
  reads: ['white-labels'],
  raw: true,
  download: true,
})

/** Mails that a preview shows. */
export const PREVIEWED_MAILS = ['invoice', 'payment-receipt', 'low-balance', 'confirm-registration', 'password-reset'] as const

export const previewMail = endpoint({
  id: 'whitelabel.previewMail',
  method: 'POST',
  path: '/v1/whitelabel/:id/preview/mail',
  access: 'whitelabel.customise',
  summary: 'An example of a mail, with what is saved or, where fields are given, with them; sends nothing',
  params: ID,
  body: 'json',
  input: z.object({ ...unsaved, template: z.enum(PREVIEWED_MAILS) }),
  output: z.object({ subject: z.string(), html: z.string() }),
  reads: ['white-labels'],
})

export const WHITE_LABEL_ENDPOINTS = [
  whitelabelInfo,
  readSettings,
  saveSettings,
  listWhiteLabels,
  createWhiteLabel,
  readWhiteLabel,
  saveWhiteLabel,
  suspendWhiteLabel,
  restoreWhiteLabel,
  previewInvoice,
  previewMail,
]
