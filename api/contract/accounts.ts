import { ACCOUNT_TYPES, SETTING_TEXT } from '#domain/account/settings'
import { TAX_MODES } from '#domain/invoice/tax'
import { among, asOfQuery, endpoint, fieldValue, named, page } from './http.ts'
import { ACCOUNT_SORTS } from './account-list.ts'
import { languageKey, personStatusKey, roleKey, statusKey, termsStatusKey, userTypeKey, wireLocale } from './sets.ts'
import { z } from './zod.ts'

/** Accounts for the staff of a white-label, and the search of accounts and campaigns (platform.md §2 and §7). */

const dateInput = z.nullish(z.union([z.string(), z.number()]))
const text = (most: number) => z.string().check(z.maxLength(most))

/** Names and keys of the states that the list filters by. Keys are those of platform.md §3; 50 is every state. */
export const ACCOUNT_STATUSES = ['all', 'opened', 'active', 'suspended', 'registered', 'approved', 'rejected'] as const
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number]
const filter = {
  /** Part of the name of the account. */
  name: z.nullish(text(300)),
  /** Part of the account's name, or of the owner's name, company or address. */
  search: z.nullish(text(300)),
  /** opened: every account; active and suspended: accounts; the others: registrants by their verification. */
  status: z.nullish(z.enum(ACCOUNT_STATUSES)),
  /** 1 need verification, 2 approved, 3 rejected, 5 active, 50 all. */
  status_filter_key: z.nullish(among(z.int(), [1, 2, 3, 5, 50])),
  /** Range of the creation; days are UTC days. */
  from_date: dateInput,
  to_date: dateInput,
  /** A period in words, which counts without from_date and to_date: one of those in DATE_LABELS. Any other text filters nothing. */
  dateLabel: z.nullish(text(300)),
  /** The custom period of a date picker: its first and its last day. Counts without from_date, to_date and dateLabel. */
  dateCustomRange: z.nullish(z.array(z.nullable(z.union([z.string(), z.number()]))).check(z.maxLength(2))),
}

const settings = {
  account_type: z.nullable(z.enum(ACCOUNT_TYPES)),
  source: z.nullable(z.string()),
  niche: z.nullable(z.string()),
  /** Called `position` in requests: in answers, that is a write's place in the log. */
  job_title: z.nullable(z.string()),
  /** 1 to 28. */
  invoice_due_day: z.nullable(z.number()),
  /** Multiplies the price of an audio spot. */
  rewarded_ads_cpm_rate: z.number(),
  /** Percent; null for the product's. */
  max_margin: z.nullable(z.number()),
  /** In the account's currency; null for the product's. */
  base_bid: z.nullable(z.number()),
  manager_id: z.nullable(z.string()),
}

/** The user and space record of platform.md §3. A registrant has no account yet, and an account may have no owner. */
export const accountRecord = named(
  'AccountRecord',
  z.object({
    /** Id of the owner. */
    id: z.nullable(z.string()),
    email: z.nullable(z.string()),
    first_name: z.nullable(z.string()),
    last_name: z.nullable(z.string()),
    phone: z.nullable(z.string()),
    locale: z.nullable(wireLocale),
    profile_image: z.nullable(z.object({ picture_id: z.string() })),
    role_key: z.nullable(roleKey),
    roles: z.array(roleKey),
    /** 1 English, 2 Russian. */
    language_key: z.nullable(languageKey),
    /** 1 company, 2 individual. */
    user_type_key: z.nullable(userTypeKey),
    company_name: z.nullable(z.string()),
    country: z.nullable(z.string()),
    /** 1 need verification, 2 approved, 3 rejected, 5 active; null without an owner. */
    status_key: z.nullable(personStatusKey),
    tos_status_type_key: termsStatusKey,
    moderator_comment: z.nullable(z.string()),
    space_id: z.string(),
    space_name: z.string(),
    whitelabel_id: z.string(),
    /** False for a registrant without an account. */
    opened: z.boolean(),
    currency: z.string(),
    balance: z.number(),
    credit_limit: z.number(),
    spent: z.number(),
    campaigns: z.number(),
    running_campaigns: z.number(),
    suspended: z.boolean(),
    suspended_at: z.nullable(z.string()),
    suspended_reason: z.nullable(z.string()),
    ...settings,
    /** The same as max_margin. */
    maxMargin: z.nullable(z.number()),
    settings: z.looseObject({ allow_make_payment: z.boolean() }),
    legal_entity_name: z.nullable(z.string()),
    tin_number: z.nullable(z.string()),
    address_line_1: z.nullable(z.string()),
    address_line_2: z.nullable(z.string()),
    city: z.nullable(z.string()),
    postal_code: z.nullable(z.string()),
    /** Country of the legal entity, ISO 3166-1 alpha-2. */
    legal_country: z.nullable(z.string()),
    invoice_email: z.nullable(z.string()),
    /** Tax mode of the account's invoices; null for the white-label's. */
    tax_mode: z.nullable(z.enum(TAX_MODES)),
    /** Basis points; null for the white-label's own. */
    tax_rate: z.nullable(z.number()),
    created_at: z.string(),
    updated_at: z.nullable(z.string()),
    deleted_at: z.nullable(z.string()),
  }),
)
export type AccountRecord = z.output<typeof accountRecord>

export const listAccounts = endpoint({
  id: 'account.list',
  method: 'POST',
  path: '/v1/whitelabel/admin/accounts/list',
  access: 'account.list',
  summary:
    'Accounts and registrants of the white-label, zero-based pages of 25, at most 150; system administrators get those of every one',
  reads: ['accounts', 'campaign-list'],
  query: asOfQuery,
  body: 'json',
  input: z.object({
    ...filter,
    page: z.nullish(z.int().check(z.lte(1_000_000))),
    page_size: z.nullish(z.int()),
    sort: z.nullish(z.enum(ACCOUNT_SORTS)),
    descending: z.nullish(z.boolean()),
  }),
  output: page(accountRecord),
})
export type AccountsAsked = z.input<typeof listAccounts.input>

export const accountTotals = endpoint({
  id: 'account.totals',
  method: 'POST',
  path: '/v1/whitelabel/admin/accounts/totals',
  access: 'account.list',
  summary: 'Number of accounts and registrants over the filter of the list, and their balance and spend by currency',
  reads: ['accounts'],
  query: asOfQuery,
  body: 'json',
  input: z.object(filter),
  output: z.object({
    count: z.number(),
    suspended: z.number(),
    /** By currency. */
    balance: z.record(z.string(), z.number()),
    spent: z.record(z.string(), z.number()),
  }),
})

export const accountExcel = endpoint({
  id: 'account.excel',
  method: 'POST',
  path: '/v1/whitelabel/admin/accounts/excel',
  access: 'account.list',
  stepUp: 'session',
  summary: 'The filtered list as an .xlsx file of at most 100,000 rows',
  reads: ['accounts', 'campaign-list'],
  body: 'json',
  input: z.object({ ...filter, sort: z.nullish(z.enum(ACCOUNT_SORTS)), descending: z.nullish(z.boolean()) }),
  output: z.unknown(),
  raw: true,
  download: true,
})

const byId = z.object({ id: z.string() })

export const adminUser = endpoint({
  id: 'account.user',
  method: 'GET',
  path: '/v1/whitelabel/admin/user/:id',
  access: 'account.list',
  summary: 'A user of an account with its account, for staff',
  reads: ['accounts', 'campaign-list'],
  params: byId,
  output: accountRecord,
})

export const accountDetails = endpoint({
  id: 'account.get',
  method: 'GET',
  path: '/v1/space/:id/details',
  access: 'account.list',
  summary: 'An account with its owner, for staff',
  reads: ['accounts', 'campaign-list'],
  params: byId,
  query: asOfQuery,
  output: accountRecord,
})

export const getSpace = endpoint({
  id: 'space.get',
  method: 'GET',
  path: '/v1/space/:id',
  access: 'account.read',
  summary: 'The account behind a space id: its name, currency and what campaigns need of its settings (decisions G-209)',
  reads: ['accounts'],
  params: byId,
  output: z.object({
    space_id: z.string(),
    space_name: z.string(),
    whitelabel_id: z.string(),
    currency: z.string(),
    /** The white-label's own account, for its staff: no money moves in it. */
    house: z.boolean(),
    created_at: z.string(),
    suspended: z.boolean(),
    rewarded_ads_cpm_rate: z.number(),
    allow_make_payment: z.boolean(),
  }),
})

export const spaceAccount = endpoint({
  id: 'space.account',
  method: 'GET',
  path: '/v1/space/:id/account',
  access: 'account.read',
  summary: 'The owner of a space, with its currency (decisions G-209)',
  reads: ['accounts'],
  params: byId,
  output: z.object({
    id: z.nullable(z.string()),
    first_name: z.nullable(z.string()),
    last_name: z.nullable(z.string()),
    currency: z.string(),
    picture: z.nullable(z.object({ picture_id: z.string() })),
  }),
})

export const accountPeople = endpoint({
  id: 'account.people',
  method: 'GET',
  path: '/v1/space/:id/people',
  access: 'account.list',
  summary: 'Users of an account',
  reads: ['accounts'],
  params: byId,
  output: z.object({
    people: z.array(
      z.object({
        id: z.string(),
        first_name: z.string(),
        last_name: z.string(),
        email: z.string(),
        phone: z.nullable(z.string()),
        roles: z.array(roleKey),
        status_key: personStatusKey,
        suspended: z.boolean(),
        created_at: z.string(),
      }),
    ),
  }),
})

export const staff = endpoint({
  id: 'account.staff',
  method: 'GET',
  path: '/v1/whitelabel/admin/staff',
  access: 'account.manage',
  summary: 'Staff of the white-label, who may manage accounts',
  reads: [],
  query: z.object({ whitelabel_id: z.optional(z.string()) }),
  output: z.object({ people: z.array(z.object({ id: z.string(), name: z.string() })) }),
})

const historyEntry = named(
  'AccountHistoryEntry',
  z.object({
    id: z.string(),
    at: z.string(),
    /** Type of the event. */
    type: z.string(),
    actor: z.object({ id: z.nullable(z.string()), name: z.string() }),
    /** Changes with both values; empty where the event says it by its type. */
    changes: z.array(z.object({ field: z.string(), from: fieldValue, to: fieldValue })),
    reason: z.nullable(z.string()),
    /** In the account's currency; null where no money moved. */
    amount: z.nullable(z.number()),
  }),
)
export type AccountHistoryEntry = z.output<typeof historyEntry>

export const accountHistory = endpoint({
  id: 'account.history',
  method: 'GET',
  path: '/v1/space/:id/history',
  access: 'account.audit',
  summary: 'What happened to an account, newest first, from its events; zero-based pages of 25',
  reads: ['accounts'],
  params: byId,
  query: z.object({ page: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(100_000))) }),
  output: page(historyEntry),
})

export const changeSettings = endpoint({
  id: 'account.settings',
  method: 'PUT',
  path: '/v1/space/:id/settings',
  access: 'account.manage',
  stepUp: 'session',
  summary: 'Change settings of an account; a missing one stays as it is, and null is that of the product',
  reads: ['accounts'],
  command: true,
  params: byId,
  body: 'json',
  input: z.object({
    account_type: z.optional(z.nullable(among(text(300), ACCOUNT_TYPES))),
    source: z.optional(z.nullable(z.string())),
    niche: z.optional(z.nullable(z.string())),
    position: z.optional(z.nullable(z.string())),
    invoice_due_day: z.optional(z.nullable(z.number())),
    rewarded_ads_cpm_rate: z.optional(z.number()),
    max_margin: z.optional(z.nullable(z.number())),
    base_bid: z.optional(z.nullable(z.number())),
    manager_id: z.optional(z.nullable(z.string())),
    allow_make_payment: z.optional(z.boolean()),
  }),
  output: z.object({ space_id: z.string(), changed: z.array(z.string()), position: z.string() }),
})

export const renameAccount = endpoint({
  id: 'account.rename',
  perDay: { of: 'target', name: 'account name', limit: 10 },
  method: 'PUT',
  path: '/v1/space/:id/name',
  access: 'account.rename',
  summary: 'Give an account another name, which no other account of the white-label has (fine print 96)',
  reads: ['accounts'],
  command: true,
  params: byId,
  body: 'json',
  input: z.object({ name: text(1000) }),
  output: z.object({ space_id: z.string(), space_name: z.string(), position: z.string() }),
})

export const changeCreditLimit = endpoint({
  id: 'account.creditLimit',
  method: 'PUT',
  path: '/v1/space/:id/credit-limit',
  access: 'account.manage',
  stepUp: 'session',
  summary: 'Set how far the balance of an account may fall below zero; a raise is money by hand (fine print 63)',
  reads: ['accounts'],
  command: true,
  params: byId,
  body: 'json',
  input: z.object({ credit_limit: z.number() }),
  output: z.object({
    space_id: z.string(),
    credit_limit: z.number().check(z.describe('As it is now')),
    stage: z.enum(['applied', 'pending']).check(z.describe('pending: a second person has to confirm it')),
    approval_id: z.nullable(z.string()),
    position: z.string(),
  }),
})

export const changeLegalEntity = endpoint({
  id: 'account.legal',
  method: 'PUT',
  path: '/v1/user/legal',
  access: 'account.manage',
  summary: 'Set whom invoices of the account of a user name, and their tax; fields that are left out stay (decisions G-217)',
  reads: ['accounts'],
  command: true,
  body: 'json',
  input: z.object({
    user_id: text(100).check(z.minLength(1)),
    legal_entity_name: text(SETTING_TEXT),
    tin_number: text(100),
    address_line_1: z.optional(text(SETTING_TEXT)),
    address_line_2: z.optional(text(SETTING_TEXT)),
    city: z.optional(text(100)),
    postal_code: z.optional(text(20)),
    country: z.optional(text(2)).check(z.describe('ISO 3166-1 alpha-2, or empty')),
    invoice_email: z.optional(text(320)),
    tax_mode: z.optional(z.nullable(z.enum(TAX_MODES))),
    tax_rate: z.optional(z.nullable(z.int())).check(z.describe('Basis points: 2000 is 20 %')),
  }),
  output: z.object({
    user_id: z.string(),
    legal_entity_name: z.string(),
    tin_number: z.string(),
    address_line_1: z.string(),
    address_line_2: z.string(),
    city: z.string(),
    postal_code: z.string(),
    country: z.string(),
    invoice_email: z.string(),
    tax_mode: z.nullable(z.enum(TAX_MODES)),
    tax_rate: z.nullable(z.number()),
    position: z.string(),
  }),
})

const withReason = z.object({ reason: z.string() })
const suspension = z.object({ space_id: z.string(), suspended: z.boolean(), position: z.string() })

export const suspendAccount = endpoint({
  id: 'account.suspend',
  method: 'POST',
  path: '/v1/space/:id/suspend',
  access: 'account.manage',
  stepUp: 'session',
  summary: 'Suspend an account: its campaigns stop serving, and its users are signed out and cannot sign in',
  reads: ['accounts'],
  command: true,
  params: byId,
  body: 'json',
  input: withReason,
  output: suspension,
})

export const restoreAccount = endpoint({
  id: 'account.restore',
  method: 'POST',
  path: '/v1/space/:id/restore',
  access: 'account.manage',
  stepUp: 'session',
  summary: 'Restore a suspended account: its campaigns serve as before, and its users may sign in',
  reads: ['accounts'],
  command: true,
  params: byId,
  body: 'json',
  input: withReason,
  output: suspension,
})

const accountItem = named(
  'FoundAccount',
  z.object({
    type_key: z.literal(2),
    space_id: z.string(),
    space_name: z.string(),
    created_at: z.string(),
    currency: z.string(),
    suspended: z.boolean(),
    user_id: z.nullable(z.string()),
    first_name: z.nullable(z.string()),
    last_name: z.nullable(z.string()),
    picture_id: z.nullable(z.string()),
    /** The home account of the caller. */
    own: z.boolean(),
  }),
)
export type FoundAccountItem = z.output<typeof accountItem>
const campaignItem = named(
  'FoundCampaign',
  z.object({
    type_key: z.literal(1),
    campaign_id: z.string(),
    campaign_name: z.string(),
    campaign_start_at: z.nullable(z.string()),
    status_key: statusKey,
    space_id: z.string(),
    space_name: z.string(),
  }),
)
export type FoundCampaignItem = z.output<typeof campaignItem>

/** Results of each kind at most. */
export const SEARCH_LIMIT = 50
const asked = z.object({ name: z.nullish(text(300)) })

export const adminSearch = endpoint({
  id: 'search.all',
  method: 'POST',
  path: '/v1/whitelabel/search',
  access: 'account.search',
  summary:
    'Search accounts and campaigns by name, tolerant of accents and of one typing error; at most 50 of each kind (decisions G-208 to G-211)',
  reads: ['accounts', 'campaign-list', 'moderation-queue'],
  body: 'json',
  input: asked,
  output: z.object({
    /** Both, the best match first: the whole name, its beginning, the beginning of its words, and then inside of words. */
    all: z.array(z.union([campaignItem, accountItem])),
    campaigns: z.array(campaignItem),
    accounts: z.array(accountItem),
    campaigns_in_moderation_count: z.number(),
    registrants_in_moderation_count: z.number(),
  }),
})

export const accountSearch = endpoint({
  id: 'search.accounts',
  method: 'POST',
  path: '/v1/whitelabel/account-search',
  access: 'account.list',
  summary: 'Search accounts by name, for choosing one; the own account comes first (decisions G-208)',
  reads: ['accounts'],
  body: 'json',
  input: asked,
  output: z.object({ accounts: z.array(accountItem) }),
})

export const ACCOUNT_ENDPOINTS = [
  listAccounts,
  accountTotals,
  accountExcel,
  adminUser,
  accountDetails,
  getSpace,
  spaceAccount,
  renameAccount,
  accountPeople,
  staff,
  accountHistory,
  changeSettings,
  changeCreditLimit,
  changeLegalEntity,
  suspendAccount,
  restoreAccount,
  adminSearch,
  accountSearch,
]
