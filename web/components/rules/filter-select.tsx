import { useTranslation } from 'react-i18next'
import { NativeSelect } from '@/components/ui/native-select'
import type { RuleVocabulary } from './rule-editor.ts'

type FilterSelectProps = {
  readonly vocabulary: RuleVocabulary
  readonly value: string
  readonly disabled: boolean
  readonly focusName: string
  readonly invalid: boolean
  readonly errorId: string | undefined
  readonly onChange: (field: string) => void
}

export function FilterSelect({ vocabulary, value, disabled, focusName, invalid, errorId, onChange }: FilterSelectProps) {
  const { t } = useTranslation('bidding')
  const { filterOf, filterName, sections } = vocabulary
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
      {value !== '' && filterOf(value) === null && <option value={value}>{value}</option>}
      {sections.map(({ label, fields }) => (
        <optgroup key={label} label={label}>
          {fields.map((field) => (
            <option key={field} value={field}>
              {filterName(field)}
            </option>
          ))}
        </optgroup>
      ))}
    </NativeSelect>
  )
}
