import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ChipList } from '@/components/chip-list'
import { Picker, type PickerProps } from '@/components/picker/picker'
import { Segmented } from '@/components/form/segmented'
import { drop, modeOf, offeredIn, pick, type ListAction, type ModeList } from './list-mode.ts'

type ModeListFieldProps = Pick<PickerProps, 'options' | 'query' | 'onQuery' | 'busy' | 'disabled' | 'ref'> & {
  readonly label: string
  readonly search: string
  readonly value: ModeList
  readonly onChange: (value: { included: string[]; excluded: string[] }) => void
  readonly nameOf: (id: string) => string
  /** Focuses the search box. */
  readonly focus: () => void
}

/** A list that either allows or blocks. It offers only the actions of its mode. */
export function ModeListField(props: ModeListFieldProps) {
  const { label, search, value, onChange, nameOf, focus, ...picker } = props
  const { busy = false, disabled = false } = picker
  const { t } = useTranslation('placement')
  const mode = modeOf(value)
  const offered = offeredIn(mode)
  const [wanted, setWanted] = useState<ListAction>('allow')
  const action = offered.includes(wanted) ? wanted : (offered[0] ?? 'allow')
  const chosen = new Set(action === 'allow' ? value.included : value.excluded)
  const change = (list: ModeList) => onChange({ included: [...list.included], excluded: [...list.excluded] })
  const sides = [
    { name: t('allowed'), ids: value.included, tone: 'good' },
    { name: t('blocked'), ids: value.excluded, tone: 'bad' },
  ] as const
  return (
    <div className="col-span-2 flex min-w-0 flex-col gap-3">
      <div className="flex items-center gap-2.5">
        <Segmented
          quiet
          label={`${label}: ${t('action')}`}
          segments={offered.map((each) => ({ value: each, label: t(each) }))}
          value={action}
          disabled={disabled}
          className="shrink-0"
          onChange={setWanted}
        />
        <Picker
          label={search}
          chosen={chosen}
          onPick={(id) => change(chosen.has(id) ? drop(value, id) : pick(value, action, id))}
          nothing={busy ? t('searching') : t('nothing')}
          {...picker}
        />
      </div>
      <p className="text-muted-foreground text-xs -mt-1.5">{t(`modeHelp.${mode}`)}</p>
      {sides
        .filter(({ ids }) => ids.length > 0)
        .map(({ name, ids, tone }) => (
          <div key={tone} className="flex items-baseline gap-3">
            <span className="text-muted-foreground text-[0.8125rem]/4.5 w-28 shrink-0">{name}</span>
            <ChipList
              label={`${label}: ${name}`}
              chips={ids.map((id) => ({ id, label: nameOf(id) }))}
              tone={tone}
              disabled={disabled}
              onRemove={(id) => change(drop(value, id))}
              onEmpty={focus}
            />
          </div>
        ))}
    </div>
  )
}
