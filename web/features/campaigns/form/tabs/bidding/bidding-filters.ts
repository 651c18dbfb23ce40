import { useTranslation } from 'react-i18next'
import { FILTERS, filterOf, type FilterKey } from '#domain/bidding/filters'
import type { RuleVocabulary } from '@/components/rules/rule-editor'
import { isFilterKey, useWords } from './use-words.ts'

type Section = 'context' | 'device' | 'user' | 'price'
const SECTIONS = ['context', 'device', 'user', 'price'] as const

/** Sections only structure the list of twenty-nine filters. New filters appear in the first section. */
function sectionOf(key: FilterKey): Section {
  if (/^(visits|impressions|clicks)_/.test(key)) return 'user'
  if (/^(device_|os$|content_language$)/.test(key)) return 'device'
  return /^(bid_floor|ad_exchange|display_manager)$/.test(key) ? 'price' : 'context'
}
const KEYS = Object.keys(FILTERS).filter(isFilterKey)

/** The filters of bidding rules, with their names. */
export function useBiddingVocabulary(): RuleVocabulary {
  const { t } = useTranslation('bidding')
  const { filterName } = useWords()
  return {
    filterOf,
    filterName,
    sections: SECTIONS.map((section) => ({
      label: t(`filters.${section}`),
      fields: KEYS.filter((key) => sectionOf(key) === section),
    })),
    emptyRoot: t('emptyRoot'),
    emptyGroup: t('emptyGroup'),
  }
}
