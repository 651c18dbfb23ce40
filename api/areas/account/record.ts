import type { DirectoryRow } from '#projections/account/directory'
import { TERMS_AGREED } from '#domain/account/settings'
import { languageOf, wireLocaleOf } from '#domain/kit/languages'
import { fromMicros } from '#domain/kit/money'
import type { AccountRecord } from '#contract/accounts'

/** An entry of the directory as the user and space record (platform.md §3). */
export function recordOut(row: DirectoryRow): AccountRecord {
  const { settings, roles, language_key } = row
  const max_margin = settings.max_margin
  return {
    id: row.user_id,
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    phone: row.phone,
    locale: language_key === null ? null : wireLocaleOf(languageOf(language_key)),
    profile_image: row.picture_id === null ? null : { picture_id: row.picture_id },
    role_key: roles?.[0] ?? null,
    roles: [...(roles ?? [])],
    language_key,
    user_type_key: row.user_type_key,
    company_name: row.company_name,
    country: row.country,
    status_key: row.status_key,
    tos_status_type_key: TERMS_AGREED,
    moderator_comment: row.moderator_comment,
    space_id: row.space_id,
    space_name: row.space_name,
    whitelabel_id: row.whitelabel_id,
    opened: row.opened,
    currency: row.currency,
    balance: fromMicros(row.balance),
    credit_limit: fromMicros(row.credit_limit),
    spent: fromMicros(row.spent),
    campaigns: row.campaigns,
    running_campaigns: row.running,
    suspended: row.suspended,
    suspended_at: row.suspended_at,
    suspended_reason: row.suspended_reason,
    account_type: settings.account_type,
    source: settings.source,
    niche: settings.niche,
    job_title: settings.position,
    invoice_due_day: settings.invoice_due_day,
    rewarded_ads_cpm_rate: fromMicros(settings.rewarded_ads_cpm_rate),
    max_margin,
    maxMargin: max_margin,
    base_bid: settings.base_bid === null ? null : fromMicros(settings.base_bid),
    manager_id: settings.manager_id,
    settings: { ...row.user_settings, allow_make_payment: settings.allow_make_payment },
    legal_entity_name: row.legal_entity_name,
    tin_number: row.tin_number,
    address_line_1: row.address_line_1,
    address_line_2: row.address_line_2,
    city: row.city,
    postal_code: row.postal_code,
    legal_country: row.legal_country,
    invoice_email: row.invoice_email,
    tax_mode: settings.tax_mode,
    tax_rate: settings.tax_rate,
    created_at: row.created_at,
    updated_at: row.updated_at,
    deleted_at: null,
  }
}
