import { languageOfLocale, wireLocaleOf, type WireLocale } from '#domain/kit/languages'
import type { WhiteLabelOut } from '#contract/white-label'
import type { TaxMode } from '#domain/invoice/tax'
import { INVOICING_TEXTS, type InvoicingText } from '#domain/white-label/invoicing'
import { readDecimal } from '@/i18n/decimal'
import { basisPoints, typedPercent } from '@/i18n/percent'
import type { Brand } from '@/theme/brand'
import type { Changes } from './customization-queries.ts'

/** The values of the form. Empty texts mean the product's own. */
export type BrandingValues = {
  readonly name: string
  /** IANA name; empty for a fixed offset. */
  readonly timezone: string
  readonly locale: WireLocale
  readonly primary: string
  readonly secondary: string
  readonly warning: string
  readonly gauge: string
  readonly terms: string
  readonly help: string
  /** Stored file of the logo; empty without one. */
  readonly logo: string
  readonly ownApproval: boolean
  readonly secondFactor: boolean
  readonly rolesByTwo: boolean
  /** Minutes; empty for none. */
  readonly staffIdle: string
  /** Ranges of addresses, one on a line. */
  readonly staffNetworks: string
  readonly invoiceAutomatically: boolean
  /** Days; empty for the product's own. */
  readonly keyDays: string
  readonly keysExchangeOnly: boolean
  readonly switchReason: boolean
  /** Currency units; empty for none. */
  readonly approvalLimit: string
  readonly invoicing: InvoicingValues
}
/** Texts of invoices; `percent` is the rate of the tax as typed. */
export type InvoicingValues = Readonly<Record<InvoicingText | 'percent', string>> & { readonly tax_mode: TaxMode }
export type BrandingField = Exclude<keyof BrandingValues, 'invoicing'> | `invoicing.${keyof InvoicingValues}`

export const COLOR_FIELDS = ['primary', 'secondary', 'warning', 'gauge'] as const
export type ColorField = (typeof COLOR_FIELDS)[number]

export function valuesOf({ name, time_zone, file_id, whitelabel_settings: settings, invoicing }: WhiteLabelOut): BrandingValues {
  return {
    name,
    timezone: time_zone ?? '',
    locale: wireLocaleOf(languageOfLocale(settings.default_locale)),
    primary: settings.primary_color ?? '',
    secondary: settings.secondary_color ?? '',
    warning: settings.warning_color ?? '',
    gauge: settings.gauge_color ?? '',
    terms: settings.term_of_service_url ?? '',
    help: settings.help_url ?? '',
    logo: file_id ?? '',
    ownApproval: settings.own_approval,
    secondFactor: settings.second_factor_required,
    rolesByTwo: settings.second_person_for_roles,
    staffIdle: settings.staff_idle_minutes === null ? '' : String(settings.staff_idle_minutes),
    staffNetworks: settings.staff_networks.join('\n'),
    invoiceAutomatically: settings.invoice_automatically,
    keyDays: settings.api_key_days === null ? '' : String(settings.api_key_days),
    keysExchangeOnly: settings.api_keys_exchange_only,
    switchReason: settings.switch_reason_required,
    approvalLimit: settings.payment_approval_limit === null ? '' : String(settings.payment_approval_limit),
    invoicing: typedInvoicing(invoicing),
  }
}

function typedInvoicing({ tax_rate, ...invoicing }: WhiteLabelOut['invoicing']): InvoicingValues {
  return { ...invoicing, percent: tax_rate === 0 ? '' : typedPercent(tax_rate) }
}

/** The fields of the form by their paths on the wire. */
/** Typed networks, by line. */
export const networksIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const PATHS: Readonly<Record<string, BrandingField>> = {
  name: 'name',
  time_zone: 'timezone',
  timezone_offset_seconds: 'timezone',
  file_id: 'logo',
  'whitelabel_settings.default_locale': 'locale',
  'whitelabel_settings.primary_color': 'primary',
  'whitelabel_settings.secondary_color': 'secondary',
  'whitelabel_settings.warning_color': 'warning',
  'whitelabel_settings.gauge_color': 'gauge',
  'whitelabel_settings.term_of_service_url': 'terms',
  'whitelabel_settings.help_url': 'help',
  'whitelabel_settings.payment_approval_limit': 'approvalLimit',
  'whitelabel_settings.staff_idle_minutes': 'staffIdle',
  'whitelabel_settings.staff_networks': 'staffNetworks',
  'whitelabel_settings.api_key_days': 'keyDays',
}
export function fieldOf(path: string): BrandingField | null {
  const [group, name = ''] = path.split('.')
  if (group !== 'invoicing') return PATHS[path] ?? null
  if (name === 'tax_rate') return 'invoicing.percent'
  const known = [...INVOICING_TEXTS, 'tax_mode' as const].find((one) => one === name)
  return known === undefined ? null : `invoicing.${known}`
}

const orNull = (text: string) => (text.trim() === '' ? null : text.trim())

/** Only the changed fields: others may have been changed by someone else in the meantime. */
export function changesOf(values: BrandingValues, before: BrandingValues): Changes {
  const changed = (field: Exclude<keyof BrandingValues, 'invoicing'>) => values[field] !== before[field]
  const invoicing = changedInvoicing(values.invoicing, before.invoicing)
  const settings = {
    ...(changed('primary') ? { primary_color: orNull(values.primary) } : {}),
    ...(changed('secondary') ? { secondary_color: orNull(values.secondary) } : {}),
    ...(changed('warning') ? { warning_color: orNull(values.warning) } : {}),
    ...(changed('gauge') ? { gauge_color: orNull(values.gauge) } : {}),
    ...(changed('terms') ? { term_of_service_url: orNull(values.terms) } : {}),
    ...(changed('help') ? { help_url: orNull(values.help) } : {}),
    ...(changed('locale') ? { default_locale: values.locale } : {}),
    ...(changed('ownApproval') ? { own_approval: values.ownApproval } : {}),
    ...(changed('secondFactor') ? { second_factor_required: values.secondFactor } : {}),
    ...(changed('rolesByTwo') ? { second_person_for_roles: values.rolesByTwo } : {}),
    ...(changed('staffIdle') ? { staff_idle_minutes: readDecimal(values.staffIdle) } : {}),
    ...(changed('staffNetworks') ? { staff_networks: networksIn(values.staffNetworks) } : {}),
    ...(changed('keyDays') ? { api_key_days: readDecimal(values.keyDays) } : {}),
    ...(changed('keysExchangeOnly') ? { api_keys_exchange_only: values.keysExchangeOnly } : {}),
    ...(changed('switchReason') ? { switch_reason_required: values.switchReason } : {}),
    ...(changed('invoiceAutomatically') ? { invoice_automatically: values.invoiceAutomatically } : {}),
    ...(changed('approvalLimit') ? { payment_approval_limit: readDecimal(values.approvalLimit) } : {}),
  }
  return {
    ...(changed('name') ? { name: values.name } : {}),
    ...(changed('timezone') ? { time_zone: values.timezone } : {}),
    ...(changed('logo') ? { file_id: orNull(values.logo) } : {}),
    ...(Object.keys(settings).length === 0 ? {} : { whitelabel_settings: settings }),
    ...(Object.keys(invoicing).length === 0 ? {} : { invoicing }),
  }
}

/** A rate that is no number is beyond every range, and refused. */
function changedInvoicing(values: InvoicingValues, before: InvoicingValues): NonNullable<Changes['invoicing']> {
  const texts = INVOICING_TEXTS.filter((name) => values[name] !== before[name])
  const isNewTax = values.tax_mode !== before.tax_mode || values.percent !== before.percent
  const rate = values.tax_mode === 'none' ? 0 : (basisPoints(values.percent) ?? 0)
  return {
    ...Object.fromEntries(texts.map((name) => [name, values[name].trim()])),
    ...(isNewTax ? { tax_mode: values.tax_mode, tax_rate: rate } : {}),
  }
}

/** Values that previews show in place of the saved ones. */
export function unsavedOf({ name, primary, invoicing }: BrandingValues) {
  const { percent, tax_mode, ...texts } = invoicing
  const tax_rate = tax_mode === 'none' ? 0 : (basisPoints(percent) ?? 0)
  return { name, primary_color: colorIn(primary), invoicing: { ...texts, tax_mode, tax_rate } }
}

/** A typed colour, with or without the number sign, as #rrggbb; null for anything else. */
export function colorIn(text: string): string | null {
  const [, digits] = /^#?([0-9a-f]{6})$/i.exec(text.trim()) ?? []
  return digits === undefined ? null : `#${digits.toLowerCase()}`
}

/** The brand that the typed values would show. */
export const previewOf = (values: BrandingValues): Brand => ({
  name: values.name.trim(),
  primary: colorIn(values.primary),
  secondary: colorIn(values.secondary),
  warning: colorIn(values.warning),
  gauge: colorIn(values.gauge),
})

/** Names of time zones, with the present one. */
export const zonesWith = (present: string): readonly string[] =>
  [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...(present === '' ? [] : [present])])].sort()

/** A fixed offset, seconds east of UTC. */
export function timezoneName(seconds: number): string {
  const minutes = Math.abs(Math.round(seconds / 60))
  const two = (number: number) => String(number).padStart(2, '0')
  return `UTC${seconds < 0 ? '−' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
