import { Tabs } from 'radix-ui'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ToggleRow } from '@/components/form/toggle-row'
import { DialogPanelBody } from '@/components/dialog-panel'
import { cn } from '@/lib/utils'
import { ChangeList } from './change-list.tsx'
import { DifferenceTable } from './difference-table.tsx'
import type { Change, State } from './field-changes.ts'
import { StoredTable } from './stored-table.tsx'

type DifferenceViewsProps = {
  readonly changes: readonly Change[]
  readonly before: State | null
  readonly after: State | null
  /** Headings of the two columns. */
  readonly headings?: { readonly before: string; readonly after: string }
  /** Replaces all views, for example while loading. */
  readonly children?: ReactNode
  /** The view scrolls to the top when this changes. */
  readonly subject: string | number
  /** At the end of the bar. */
  readonly end?: ReactNode
}

const VIEWS = ['sides', 'changes', 'stored'] as const

/** Shows a difference in one of three views: states side by side, a list of sentences, or stored values. */
export function DifferenceViews({ changes, before, after, headings, children, subject, end }: DifferenceViewsProps) {
  const { t } = useTranslation('log')
  const [view, setView] = useState<string>('sides')
  const [whole, setWhole] = useState(false)
  const states = [after, before]
  const content = (name: (typeof VIEWS)[number]) => {
    if (name === 'changes') return <ChangeList changes={changes} states={states} />
    if (name === 'stored') return <StoredTable changes={changes} />
    return (
      <DifferenceTable
        changes={changes}
        states={states}
        whole={whole ? (after ?? undefined) : undefined}
        before={headings?.before}
        after={headings?.after}
      />
    )
  }
  return (
    <Tabs.Root value={view} onValueChange={setView} className="flex min-h-0 grow flex-col">
      <div className="border-border flex min-h-11 items-end justify-between gap-4 border-b px-6">
        <Tabs.List aria-label={t('view.label')} className="flex gap-5">
          {VIEWS.map((name) => (
            <Tabs.Trigger
              key={name}
              value={name}
              className="text-[0.8125rem]/4.5 text-muted-foreground hover:text-foreground data-[state=active]:text-foreground data-[state=active]:border-primary -mb-px min-h-10 border-b-2 border-transparent font-medium"
            >
              {t(`view.${name}`)}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <div className="flex items-center gap-4 pb-1.5">
          {view === 'sides' && children === undefined && (
            <ToggleRow label={t('allFields')} checked={whole} onChange={setWhole} className="items-center gap-3" />
          )}
          {end}
        </div>
      </div>
      {VIEWS.map((name) => (
        <Tabs.Content key={name} value={name} tabIndex={-1} className="flex min-h-0 grow flex-col outline-none">
          <DialogPanelBody key={subject} tabIndex={0} className={cn('pb-6', name === 'changes' ? 'pt-4' : 'pt-2')}>
            {children ?? content(name)}
          </DialogPanelBody>
        </Tabs.Content>
      ))}
    </Tabs.Root>
  )
}
