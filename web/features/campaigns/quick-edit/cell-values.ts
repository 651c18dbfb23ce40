import i18next from 'i18next'
import type { Campaign } from '#contract/campaign-body'
import type { ListRow } from '#contract/campaign-list'
import { localDay } from '#domain/campaign/content/dates'
import { formatMoney } from '@/components/money'
import { readDecimal } from '@/i18n/decimal'
import { ruleText } from '@/i18n/look-up'
import { isDay } from '@/lib/date-range'
import { amount } from '../form/amount.ts'
import { datesText } from './dates-text.ts'
import type { QuickValues } from './save-fields.ts'

export type EditedField = 'name' | 'budget' | 'dates'

/** What an editor is based on: a row of the list, or a newer version of its campaign. */
export type Base = Pick<
  Campaign,
  'revision' | 'name' | 'budget' | 'campaign_start_at' | 'campaign_end_at' | 'timezone_offset_seconds'
>

/** What the inputs of an editor hold. Days are YYYY-MM-DD, empty, or text that is no day. */
export type Typed = { readonly name: string; readonly budget: string; readonly start: string; readonly end: string }

const dayOf = (instant: string | null, zone: number | null) => (instant === null ? '' : localDay(instant, zone ?? 0))

export const typedOf = (base: Base): Typed => ({
  name: base.name,
  budget: base.budget === null ? '' : String(base.budget),
  start: dayOf(base.campaign_start_at, base.timezone_offset_seconds),
  end: dayOf(base.campaign_end_at, base.timezone_offset_seconds),
})

const amountRule = amount('form:errors.budget')

/** Returns the text of what cannot be read, or null. Everything else is the server's to refuse. */
export function typedFault(field: EditedField, { budget, start, end }: Typed): string | null {
  if (field === 'budget') {
    const fault = amountRule.safeParse(budget).error?.issues[0]?.message
    return fault === undefined ? null : ruleText(fault)
  }
  const isDate = (day: string) => day === '' || isDay(day)
  return field === 'dates' && !(isDate(start) && isDate(end)) ? i18next.t('form:errors.day') : null
}

/** Returns the fields that differ from the base. An unchanged day is not sent: it would move its instant within the day. */
export function fieldsOf(field: EditedField, typed: Typed, base: Base): QuickValues {
  const known = typedOf(base)
  if (field === 'name') return typed.name.trim() === base.name ? {} : { name: typed.name.trim() }
  if (field === 'budget') {
    const budget = readDecimal(typed.budget)
    return budget === base.budget ? {} : { budget }
  }
  return {
    ...(typed.start === known.start ? {} : { campaign_start_at: typed.start === '' ? null : typed.start }),
    ...(typed.end === known.end ? {} : { campaign_end_at: typed.end === '' ? null : typed.end }),
  }
}

/** Returns a value as the list shows it. */
export function shownText(field: EditedField, base: Base, { currency, budget_type_key }: ListRow): string {
  const { t } = i18next
  if (field === 'name') return base.name
  if (field === 'budget') {
    if (base.budget === null) return t('campaigns:edit.noBudget')
    const value = formatMoney(base.budget, currency)
    return t(budget_type_key === 1 ? 'campaigns:meta.inAll' : 'campaigns:meta.aDay', { value })
  }
  return datesText(base)
}
