import { useTranslation } from 'react-i18next'
import { settleMultiplier, typeMultiplier } from './multiplier.ts'

type MultiplierInputProps = {
  readonly name: string
  readonly value: string
  readonly readOnly: boolean
  readonly onChange: (value: string) => void
}

export function MultiplierInput({ name, value, readOnly, onChange }: MultiplierInputProps) {
  const { t } = useTranslation('bidding')
  return (
    <label className="text-ink-soft text-table flex shrink-0 items-center gap-2">
      <span aria-hidden>{t('multiplier')}</span>
      <input
        aria-label={t('multiplierOf', { name })}
        inputMode="decimal"
        autoComplete="off"
        readOnly={readOnly}
        className="control h-8 w-20 text-right tabular-nums"
        value={value}
        onChange={(event) => onChange(typeMultiplier(value, event.target.value))}
        onBlur={() => {
          if (settleMultiplier(value) !== value) onChange(settleMultiplier(value))
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault()
        }}
      />
    </label>
  )
}
