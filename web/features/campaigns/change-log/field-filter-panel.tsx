import { Command } from 'cmdk'
import { Check } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Input } from '@/components/ui/input'
import { PopoverPanel } from '@/components/popover-panel'
import { cn } from '@/lib/utils'
import type { Popup } from '@/lib/use-popup'
import { groupLabel, pathLabel } from './log-labels.ts'
import { FIELD_CHOICES } from './log-lookup.ts'

type FieldFilterPanelProps = {
  readonly popup: Popup
  /** Path; undefined for all fields. */
  readonly value: string | undefined
  readonly onChange: (path: string | undefined) => void
}

const ALL = '*'
const item =
  'rounded-md text-[0.8125rem]/4.5 data-[selected=true]:bg-accent flex min-h-8 cursor-pointer items-center gap-2 px-2.5 py-1'

/** True when every typed word occurs in the name of the field or of its tab. */
const matches = (_value: string, typed: string, keywords: readonly string[] = []) => {
  const name = keywords.join(' ').toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => name.includes(word))
    ? 1
    : 0
}

export function FieldFilterPanel({ popup, value, onChange }: FieldFilterPanelProps) {
  const { t } = useTranslation('log')
  const pick = (path: string | undefined) => {
    popup.onOpenChange(false)
    onChange(path)
  }
  return (
    <PopoverPanel popup={popup} align="start" aria-label={t('filters.field')} className="w-80 p-0">
      <Command label={t('filters.findField')} filter={matches} {...(value === undefined ? {} : { defaultValue: value })} loop>
        <div className="border-border border-b p-2">
          <Command.Input asChild placeholder={t('filters.findField')}>
            <Input />
          </Command.Input>
        </div>
        <Command.List label={t('filters.field')} className="max-h-80 scroll-py-2 overflow-y-auto p-1">
          <Command.Empty className="text-muted-foreground text-[0.8125rem]/4.5 px-2.5 py-2">{t('filters.noField')}</Command.Empty>
          <Choice value={ALL} label={t('filters.anyField')} chosen={value === undefined} onPick={() => pick(undefined)} />
          {FIELD_CHOICES.map(({ group, paths }) => (
            <Command.Group
              key={group}
              heading={groupLabel(group)}
              className="[&_[cmdk-group-heading]]:text-muted-foreground [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:font-medium"
            >
              {paths.map((path) => (
                <Choice
                  key={path}
                  value={path}
                  label={pathLabel(path)}
                  under={groupLabel(group)}
                  chosen={path === value}
                  onPick={() => pick(path)}
                />
              ))}
            </Command.Group>
          ))}
        </Command.List>
      </Command>
    </PopoverPanel>
  )
}

type ChoiceProps = {
  readonly value: string
  readonly label: string
  readonly under?: string
  readonly chosen: boolean
  readonly onPick: () => void
}

const Choice = ({ value, label, under = '', chosen, onPick }: ChoiceProps) => (
  <Command.Item value={value} keywords={[label, under]} onSelect={onPick} className={item}>
    <span className="min-w-0 grow">{label}</span>
    <Check aria-hidden className={cn('text-primary-ink size-4 shrink-0', !chosen && 'invisible')} />
  </Command.Item>
)
