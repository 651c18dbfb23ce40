import { useTranslation } from 'react-i18next'
import { formatShare } from '@/i18n/format'
import type { SentenceWords } from './sentence.ts'
import { useWords } from './use-words.ts'

/** Returns the parts of sentences about entries in the user's language. */
export function useSentenceWords(): SentenceWords {
  const { t, i18n } = useTranslation('bidding')
  const { filterName, operatorName, valueName } = useWords()
  const lists = {
    and: new Intl.ListFormat(i18n.language, { type: 'conjunction' }),
    or: new Intl.ListFormat(i18n.language, { type: 'disjunction' }),
  }
  return {
    outcome: (multiplier) => {
      if (!(multiplier > 0)) return t('lab.noBid')
      if (multiplier === 1) return t('lab.same')
      const percent = formatShare(Math.abs(multiplier - 1) * 100)
      return t(multiplier > 1 ? 'lab.more' : 'lab.less', { percent })
    },
    rule: ({ field, operator, value }, said) => {
      const names = { filter: filterName(field), value: valueName(field, value) }
      return said === null ? `${names.filter} ${operatorName(operator)} ${names.value}` : t(`lab.rule.${said}`, names)
    },
    list: (parts, condition) => lists[condition].format(parts),
    when: (text) => t('lab.when', { text }),
    always: t('lab.always'),
    any: t('lab.any'),
    unless: (text) => t('lab.unless', { text }),
    sentence: (parts) => t('lab.sentence', parts),
  }
}
