import { toMicros } from '#domain/kit/money'
import { readDecimal } from '@/i18n/decimal'
import { isDay } from '@/lib/date-range'
import { amount } from '../form/amount.ts'
import { MOST_DAYS, MOST_PERCENT, type BulkChange, type BulkField } from './bulk-plan.ts'

/** Values of the controls of the dialog. */
export type BulkForm = {
  readonly field: BulkField
  readonly how: 'set' | 'raise' | 'lower'
  readonly unit: 'percent' | 'amount'
  readonly dateHow: 'set' | 'later' | 'earlier' | 'remove'
  readonly typed: string
  readonly day: string
}
export const EMPTY_FORM: BulkForm = { field: 'budget', how: 'set', unit: 'percent', dateHow: 'set', typed: '', day: '' }

export const isMoney = (field: BulkField): field is 'budget' | 'bid' => field === 'budget' || field === 'bid'

/** A change; null while nothing is typed; or the text of what cannot be read, as `ruleText` takes it. */
export type ReadChange = { readonly change: BulkChange | null; readonly fault: string | null }

const none: ReadChange = { change: null, fault: null }
const wrong = (fault: string): ReadChange => ({ change: null, fault })
const amountRule = amount('form:errors.budget')

/** Reads the controls as a change. */
export function readChange({ field, how, unit, dateHow, typed, day }: BulkForm): ReadChange {
  if (!isMoney(field)) {
    if (dateHow === 'remove') return { change: { field, change: { how: 'remove' } }, fault: null }
    if (dateHow === 'set') {
      if (day === '') return none
      return isDay(day) ? { change: { field, change: { how: 'set', day } }, fault: null } : wrong('form:errors.day')
    }
    const days = readDecimal(typed)
    if (days === null) return none
    if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS) return wrong(`quickEdit:faults.days?max=${MOST_DAYS}`)
    return { change: { field, change: { how: 'move', days: dateHow === 'later' ? days : -days } }, fault: null }
  }
  if (typed.trim() === '') return none
  const sign = how === 'lower' ? -1 : 1
  if (how !== 'set' && unit === 'percent') {
    const percent = readDecimal(typed) ?? Number.NaN
    const hundredths = Math.round(percent * 100)
    if (!(percent > 0 && percent <= MOST_PERCENT) || Math.abs(percent * 100 - hundredths) > 1e-6)
      return wrong(`quickEdit:faults.percent?max=${MOST_PERCENT}`)
    return { change: { field, change: { how: 'scale', hundredths: sign * hundredths } }, fault: null }
  }
  const fault = amountRule.safeParse(typed).error?.issues[0]?.message
  const micros = fault === undefined ? toMicros(readDecimal(typed) ?? Number.NaN) : null
  if (micros === null) return wrong(fault ?? 'form:errors.budget')
  return { change: { field, change: how === 'set' ? { how, micros } : { how: 'add', micros: sign * micros } }, fault: null }
}
