import { useTranslation } from 'react-i18next'
import { NativeSelect } from '@/components/ui/native-select'
import { FILTERS, type FilterKey } from '../../../../../../domain/bidding/filters.ts'
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

type FilterSelectProps = {
  readonly value: string
  readonly disabled: boolean
  readonly focusName: string
  readonly invalid: boolean
  readonly errorId: string | undefined
  readonly onChange: (field: string) => void
}

export function FilterSelect({ value, disabled, focusName, invalid, errorId, onChange }: FilterSelectProps) {
  const { t } = useTranslation('bidding')
  const { filterName } = useWords()
  return (
    <NativeSelect
      data-focus={focusName}
      aria-label={t('filterLabel')}
      aria-invalid={invalid}
      aria-describedby={errorId}
      disabled={disabled}
      className="w-52"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {value === '' && (
        <option value="" disabled>
          {t('pickFilter')}
        </option>
      )}
      {value !== '' && !isFilterKey(value) && <option value={value}>{value}</option>}
      {SECTIONS.map((section) => (
        <optgroup key={section} label={t(`filters.${section}`)}>
          {KEYS.filter((key) => sectionOf(key) === section).map((key) => (
            <option key={key} value={key}>
              {filterName(key)}
            </option>
          ))}
        </optgroup>
      ))}
    </NativeSelect>
  )
}
