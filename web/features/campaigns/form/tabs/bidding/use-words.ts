import { useTranslation } from 'react-i18next'
import { FILTERS, filterOf, operatorOf, type FilterKey } from '#domain/bidding/filters'
import type { DraftRule } from '@/components/rules/draft'
import type { Words } from './summary.ts'

export const isFilterKey = (field: string): field is FilterKey => Object.hasOwn(FILTERS, field)

/** Returns the names of filters, operators and values in the user's language. */
export function useWords() {
  const { t } = useTranslation('bidding')
  const filterName = (field: string) => (isFilterKey(field) ? t(`filter.${field}`) : field === '' ? t('unset') : field)
  const operatorName = (operator: string) => {
    const known = operatorOf(operator)
    return known === null ? operator : t(`operator.${known}`)
  }
  const valueName = (field: string, value: DraftRule['value']) => {
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    if (value === '') return t('unset')
    return filterOf(field)?.choices?.find((choice) => choice.value === value)?.label ?? String(value)
  }
  const words: Words = {
    and: t('and'),
    or: t('or'),
    everything: t('everything'),
    rule: ({ field, operator, value }) => `${filterName(field)} ${operatorName(operator)} ${valueName(field, value)}`,
    outcome: (multiplier) => (Number(multiplier) === 0 ? t('noBid') : t('outcome', { multiplier })),
  }
  return { ...words, filterName, operatorName, valueName }
}
