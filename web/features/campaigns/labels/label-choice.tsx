import { nameKey } from '#domain/kit/text'
import { Check, Minus, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountLabel } from '#contract/labels'
import { LONGEST_LABEL } from '#domain/campaign/labels'
import { plain } from '@/components/picker/best-matches'
import { Command, CommandInput, CommandItem, CommandList } from '@/components/ui/command'
import { LabelChip } from './label-chip.tsx'
import { stateOf, type Choices, type Labelable } from './label-plan.ts'
import { beginning } from '#domain/kit/text'

type LabelChoiceProps = {
  readonly rows: readonly Labelable[]
  readonly labels: readonly AccountLabel[]
  readonly choices: Choices
  readonly busy: boolean
  readonly onPress: (id: string) => void
  readonly onCreate: (name: string) => void
}

const CHECKED = { all: true, some: 'mixed', none: false } as const

/** A search of the labels of an account. Arrows move, Enter chooses; a name that is not there is created. */
export function LabelChoice({ rows, labels, choices, busy, onPress, onCreate }: LabelChoiceProps) {
  const { t } = useTranslation('labels')
  const [typed, setTyped] = useState('')
  const name = beginning(typed.trim(), LONGEST_LABEL)
  const found = labels.filter((label) => plain(label.name).includes(plain(name)))
  const isNew = name !== '' && !busy && labels.every((label) => nameKey(label.name) !== nameKey(name))
  return (
    <Command shouldFilter={false} vimBindings={false} label={t('search')} className="border-border h-auto rounded-lg border">
      <CommandInput
        data-autofocus
        maxLength={LONGEST_LABEL}
        placeholder={t('search')}
        aria-label={t('search')}
        value={typed}
        onValueChange={setTyped}
      />
      <CommandList label={t('title')} aria-multiselectable className="max-h-52 p-1">
        {found.map((label) => {
          const state = stateOf(rows, choices, label.id)
          return (
            <CommandItem key={label.id} value={label.id} asChild onSelect={() => onPress(label.id)}>
              <div aria-checked={CHECKED[state]}>
                <span aria-hidden className="border-input grid size-4 place-items-center rounded-sm border">
                  {state === 'all' && <Check className="size-3" />}
                  {state === 'some' && <Minus className="size-3" />}
                </span>
                <LabelChip label={label} />
                <span className="text-muted-foreground ml-auto text-xs tabular-nums">
                  {t('campaigns', { count: label.campaigns })}
                </span>
              </div>
            </CommandItem>
          )
        })}
        {isNew && (
          <CommandItem
            value="create"
            onSelect={() => {
              onCreate(name)
              setTyped('')
            }}
          >
            <Plus aria-hidden className="size-4" />
            {t('create', { name })}
          </CommandItem>
        )}
      </CommandList>
      {found.length === 0 && !isNew && <p className="text-muted-foreground text-[0.8125rem]/4.5 px-3 py-2">{t('none')}</p>}
    </Command>
  )
}
