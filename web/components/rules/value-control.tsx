import { useTranslation } from 'react-i18next'
import { Input } from '@/components/ui/input'
import { NativeSelect } from '@/components/ui/native-select'
import type { Filter } from '#domain/bidding/filters'
import { afterPress } from '@/lib/after-press'
import { cn } from '@/lib/utils'
import type { DraftRule } from './draft.ts'

type ValueControlProps = {
  readonly filter: Filter | null
  readonly rule: DraftRule
  readonly disabled: boolean
  readonly focusName: string
  readonly errorId: string | undefined
  readonly className?: string
  readonly onChange: (value: DraftRule['value']) => void
  readonly onLeave: () => void
}

/** The value control for the kind of the filter. */
export function ValueControl({ filter, rule, disabled, focusName, errorId, className, onChange, onLeave }: ValueControlProps) {
  const { t } = useTranslation('bidding')
  const shared = {
    'data-focus': focusName,
    'aria-label': t('valueLabel'),
    'aria-invalid': errorId !== undefined,
    'aria-describedby': errorId,
    disabled,
    onBlur: () => afterPress(onLeave),
  }
  if (filter?.kind === 'choice' || filter?.kind === 'flag') {
    const options = optionsOf(filter, t('yes'), t('no'))
    const place = options.findIndex(({ value }) => value === rule.value)
    return (
      <div className={cn('*:w-full', className)}>
        <NativeSelect
          {...shared}
          value={place === -1 ? '' : place}
          onChange={(event) => onChange(options[Number(event.target.value)]?.value ?? '')}
        >
          {place === -1 && (
            <option value="" disabled>
              {rule.value === '' ? t('pickValue') : String(rule.value)}
            </option>
          )}
          {options.map(({ value, label }, index) => (
            <option key={String(value)} value={index}>
              {label}
            </option>
          ))}
        </NativeSelect>
      </div>
    )
  }
  const numeric = filter?.kind === 'integer' || filter?.kind === 'decimal'
  return (
    <Input
      {...shared}
      type="text"
      autoComplete="off"
      inputMode={filter?.kind === 'integer' ? 'numeric' : filter?.kind === 'decimal' ? 'decimal' : 'text'}
      placeholder={filter?.kind === 'ip' ? t('ipHint') : undefined}
      className={cn(numeric && 'tabular-nums', className)}
      value={String(rule.value)}
      disabled={disabled || filter === null}
      onChange={(event) => onChange(event.target.value)}
      // Enter would save the campaign with an incomplete rule.
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.preventDefault()
      }}
    />
  )
}

type Option = { readonly value: string | number | boolean; readonly label: string }

const optionsOf = (filter: Filter, yes: string, no: string): readonly Option[] =>
  filter.choices ?? [
    { value: true, label: yes },
    { value: false, label: no },
  ]
