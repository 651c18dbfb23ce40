import { useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListRow } from '#contract/campaign-list'
import { DateInput } from '@/components/date/date-input'
import { AmountInput, FieldInput, LabelledField } from '@/components/form/labelled-field'
import { Segmented } from '@/components/form/segmented'
import { symbolOf } from '@/i18n/format'
import { ruleText } from '@/i18n/look-up'
import { isMoney, type BulkForm } from './bulk-change.ts'

type BulkControlsProps = {
  readonly form: BulkForm
  readonly fault: string | null
  readonly rows: readonly Pick<ListRow, 'currency'>[]
  readonly disabled: boolean
  readonly onChange: (patch: Partial<BulkForm>) => void
  /** One more field, with controls of its own. */
  readonly further?: {
    readonly label: string
    readonly chosen: boolean
    readonly onChoose: (chosen: boolean) => void
    readonly controls: ReactNode
  }
}

const FIELDS = ['budget', 'bid', 'start', 'end'] as const
const HOWS = ['set', 'raise', 'lower'] as const
const FURTHER = 'further'
const DATE_HOWS = ['set', 'later', 'earlier', 'remove'] as const

/** Which field changes, and how. Amounts need one currency: in rows of several only percents apply. */
export function BulkControls({ form, fault, rows, disabled, onChange, further }: BulkControlsProps) {
  const { t } = useTranslation(['quickEdit', 'form'])
  const { field, how, dateHow, typed, day } = form
  const input = useRef<HTMLInputElement>(null)
  const currencies = [...new Set(rows.map(({ currency }) => currency))]
  const mixed = currencies.length > 1
  const money = isMoney(field)
  const percent = money && how !== 'set' && form.unit === 'percent'
  const symbol = symbolOf(currencies[0] ?? '').trim()
  /** The number is what one types next. */
  const choose = (patch: Partial<BulkForm>) => {
    onChange(patch)
    input.current?.select()
  }
  const error = fault === null ? undefined : ruleText(fault)
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
      <Segmented
        label={t('quickEdit:field')}
        disabled={disabled}
        segments={[
          ...FIELDS.map((value) => ({ value, label: t(`quickEdit:fields.${value}`) })),
          ...(further === undefined ? [] : [{ value: FURTHER, label: further.label } as const]),
        ]}
        value={further?.chosen === true ? FURTHER : field}
        onChange={(value) => {
          further?.onChoose(value === FURTHER)
          if (value === FURTHER) return
          // An amount of all currencies at once would be wrong in most of them.
          onChange({ field: value, typed: '', day: '', ...(mixed && isMoney(value) ? { how: 'raise', unit: 'percent' } : {}) })
        }}
      />
      {further?.chosen === true ? (
        further.controls
      ) : money ? (
        <>
          <Segmented
            label={t('quickEdit:how')}
            disabled={disabled}
            segments={HOWS.filter((value) => !mixed || value !== 'set').map((value) => ({
              value,
              label: t(`quickEdit:hows.${value}`),
            }))}
            value={how}
            onChange={(value) => choose({ how: value })}
          />
          {how !== 'set' && !mixed && (
            <Segmented
              label={t('quickEdit:unit')}
              disabled={disabled}
              segments={[
                { value: 'percent', label: '%' },
                { value: 'amount', label: symbol },
              ]}
              value={form.unit}
              onChange={(value) => choose({ unit: value })}
            />
          )}
          <LabelledField
            label={t(percent ? 'quickEdit:percent' : 'quickEdit:amount')}
            unit={percent ? '%' : symbol}
            error={error}
            className="w-36"
          >
            <AmountInput
              ref={input}
              data-autofocus
              currency={percent ? null : (currencies[0] ?? null)}
              readOnly={disabled}
              value={typed}
              onChange={({ target }) => onChange({ typed: target.value })}
            />
          </LabelledField>
        </>
      ) : (
        <>
          <Segmented
            label={t('quickEdit:how')}
            disabled={disabled}
            segments={DATE_HOWS.map((value) => ({ value, label: t(`quickEdit:dateHows.${value}`) }))}
            value={dateHow}
            onChange={(value) => choose({ dateHow: value })}
          />
          {dateHow === 'set' && (
            <LabelledField label={t(`form:${field}Date`)} error={error} className="w-44">
              <DateInput
                label={t(`form:${field}Date`)}
                disabled={disabled}
                value={day}
                onChange={(value) => onChange({ day: value })}
              />
            </LabelledField>
          )}
          {(dateHow === 'later' || dateHow === 'earlier') && (
            <LabelledField label={t('quickEdit:days')} error={error} className="w-44">
              <FieldInput
                ref={input}
                autoComplete="off"
                inputMode="numeric"
                className="tabular-nums"
                readOnly={disabled}
                value={typed}
                onChange={({ target }) => onChange({ typed: target.value })}
              />
            </LabelledField>
          )}
        </>
      )}
      {mixed && money && further?.chosen !== true && (
        <p className="text-muted-foreground basis-full text-xs">{t('quickEdit:mixed', { list: currencies.join(', ') })}</p>
      )}
    </div>
  )
}
