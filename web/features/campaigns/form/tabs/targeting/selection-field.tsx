import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ChipList } from '@/components/chip-list'
import { Picker, type PickerProps } from '@/components/picker/picker'
import { Segmented } from '@/components/form/segmented'
import { choose, remove, type SelectionKey } from './selection.ts'
import type { SelectionValue } from './targeting-slice.ts'

type SelectionFieldProps = Pick<PickerProps, 'options' | 'query' | 'onQuery' | 'busy' | 'disabled' | 'ref'> & {
  readonly label: string
  /** The lists offered. Stored entries of other lists are shown too. */
  readonly keys: readonly SelectionKey[]
  readonly value: SelectionValue
  readonly onChange: (value: SelectionValue) => void
  readonly nameOf: (id: string) => string
  /** Focuses the search box. */
  readonly focus: () => void
}

/** A search with three lists: any of, all of, none of. */
export function SelectionField(props: SelectionFieldProps) {
  const { label, keys, value, onChange, nameOf, focus, ...picker } = props
  const { busy = false, disabled = false } = picker
  const { t } = useTranslation('targeting')
  const [key, setKey] = useState<SelectionKey>(keys[0] ?? 'includeAny')
  const shown = (['includeAny', 'include', 'exclude'] as const).filter((list) => value[list].length > 0)
  return (
    <div className="col-span-2 flex min-w-0 flex-col gap-3">
      <div className="flex items-center gap-2.5">
        <Segmented
          quiet
          label={`${label}: ${t('addAs')}`}
          segments={keys.map((list) => ({ value: list, label: t(list) }))}
          value={key}
          disabled={disabled}
          className="shrink-0"
          onChange={setKey}
        />
        <Picker
          label={label}
          chosen={new Set(value[key])}
          onPick={(id) => onChange(choose(value, key, id))}
          nothing={busy ? t('searching') : t('nothing')}
          {...picker}
        />
      </div>
      {shown.map((list) => (
        <div key={list} className="flex items-baseline gap-3">
          <span className="text-muted-foreground text-[0.8125rem]/4.5 w-24 shrink-0">{t(list)}</span>
          <ChipList
            label={`${label}: ${t(list)}`}
            chips={value[list].map((id) => ({ id, label: nameOf(id) }))}
            tone={list === 'exclude' ? 'bad' : 'good'}
            disabled={disabled}
            onRemove={(id) => onChange(remove(value, id))}
            onEmpty={focus}
          />
        </div>
      ))}
    </div>
  )
}
