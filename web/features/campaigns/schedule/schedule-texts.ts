import i18next from 'i18next'
import { localDay } from '#domain/campaign/content/dates'
import type { PlannedChange, ScheduledChangeOut } from '#contract/schedules'
import { AppError } from '@/data/app-error'
import { faultText, reasonText } from '@/i18n/error-text'
import { formatExactMoney, formatPlainDay } from '@/i18n/format'
import { isDay } from '@/lib/date-range'
import { momentOf, type ScheduleRow } from './schedule-plan.ts'

type Shown = Pick<ScheduleRow, 'currency' | 'budget_type_key' | 'timezone_offset_seconds'>

/** A zone of seconds east of UTC, such as "UTC+02:00". */
export function zoneText(seconds: number): string {
  const minutes = Math.round(Math.abs(seconds) / 60)
  const two = (value: number) => String(value).padStart(2, '0')
  return seconds === 0 ? 'UTC' : `UTC${seconds < 0 ? '−' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** An instant in the zone of a campaign, which it names: "Fri, Dec 04, 2026 18:00 (UTC+02:00)". */
export function whenText(instant: string, zone: number): string {
  const { day, time } = momentOf(instant, zone)
  const weekday = new Intl.DateTimeFormat(i18next.language, { weekday: 'short', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )
  return `${weekday}, ${formatPlainDay(day)} ${time} (${zoneText(zone)})`
}

/** Effect of a change, in words: "the budget becomes $120.00 a day". */
export function actText({ act, fields }: Pick<PlannedChange, 'act' | 'fields'>, row: Shown): string {
  const { t } = i18next
  if (act !== 'save') return t(`schedule:acts.${act}`)
  const { name, budget, budget_type_key, manual_cpx, user_cpx, campaign_start_at, campaign_end_at } = fields ?? {}
  const zone = row.timezone_offset_seconds ?? 0
  const dayOf = (date: string | number) =>
    formatPlainDay(typeof date === 'string' && isDay(date) ? date : localDay(new Date(date).toISOString(), zone))
  const total = (budget_type_key ?? row.budget_type_key) === 1
  const texts = [
    name === undefined || name === null ? null : t('schedule:acts.name', { name }),
    budget === undefined
      ? null
      : budget === null
        ? t('schedule:acts.noBudget')
        : t('schedule:acts.budget', {
            value: t(total ? 'campaigns:meta.inAll' : 'campaigns:meta.aDay', { value: formatExactMoney(budget, row.currency) }),
          }),
    budget_type_key === undefined || budget_type_key === null || budget !== undefined
      ? null
      : t(total ? 'schedule:acts.total' : 'schedule:acts.daily'),
    user_cpx === undefined || user_cpx === null || manual_cpx === false
      ? null
      : t('schedule:acts.bid', { value: formatExactMoney(user_cpx, row.currency) }),
    manual_cpx === false ? t('schedule:acts.platformBid') : null,
    dateText('start', campaign_start_at),
    dateText('end', campaign_end_at),
  ]
  return texts.filter((text) => text !== null).join(', ')

  function dateText(edge: 'start' | 'end', date: string | number | null | undefined): string | null {
    if (date === undefined) return null
    if (date === null) return t(edge === 'start' ? 'schedule:acts.noStart' : 'schedule:acts.noEnd')
    return t(`schedule:acts.${edge}`, { day: dayOf(date) })
  }
}

/** A change with its time, as the preview and the list of what waits show it. */
export const lineText = (change: Pick<PlannedChange, 'act' | 'fields' | 'due_at'>, row: Shown): string =>
  i18next.t('schedule:line', { when: whenText(change.due_at, row.timezone_offset_seconds ?? 0), what: actText(change, row) })

/** How a change ended, with the reason of a refusal: "refused: Campaign status does not match the action". */
export function outcomeText({ state, code, faults }: Pick<ScheduledChangeOut, 'state' | 'code' | 'faults'>): string {
  const { t } = i18next
  const said = state === 'done' || state === 'refused' ? t(`schedule:states.${state}`) : t('schedule:states.cancelled')
  if (code === null) return said
  const [fault] = faults
  const why = fault === undefined ? reasonText(new AppError({ code, key: '', message: '', status: 400 })) : faultText(fault)
  return `${said}: ${why}`
}
