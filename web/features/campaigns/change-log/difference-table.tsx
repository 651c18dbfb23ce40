import { useId, useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldChanges, grouped, untouched, type Change, type State } from './field-changes.ts'
import { elementNames, groupLabel, pathLabel } from './log-labels.ts'
import { sayChange } from './said-change.ts'
import { SaidValue } from './said-value.tsx'
import { useSoon } from './use-soon.ts'
import { useNames } from './use-names.ts'
import type { Names } from './values.ts'
import '@/i18n/texts/log'
import '@/i18n/texts/form'
import '@/i18n/texts/owner'

type DifferenceTableProps = {
  readonly changes: readonly Change[]
  /** States used to look up element names, newest first. */
  readonly states?: readonly (State | null | undefined)[]
  /** The full state. Its unchanged fields are shown between the changed ones. */
  readonly whole?: State | undefined
  /** Headings of the two columns; default: previous and current. */
  readonly before?: ReactNode
  readonly after?: ReactNode
}

/** Shows previous and current values side by side, field by field, grouped by the tabs of the form. */
export function DifferenceTable({ changes, states = [], whole, before, after }: DifferenceTableProps) {
  const { t } = useTranslation('log')
  const id = useId()
  const changed = useMemo(() => fieldChanges(changes), [changes])
  const rows = useMemo(
    () => (whole === undefined ? changed : [...changed, ...untouched(whole, changes)]),
    [changed, changes, whole],
  )
  const soon = useSoon(rows)
  const names = useNames(rows)
  const elementName = elementNames(states)
  const marked = new Set(changed)
  return (
    <table className="text-[0.8125rem]/4.5 w-full table-fixed border-collapse">
      <thead className="text-muted-foreground text-xs text-left [&_th]:h-9 [&_th]:pr-4 [&_th]:align-middle [&_th]:font-medium">
        <tr className="border-border border-b">
          <th scope="col" className="w-[28%]">
            {t('field')}
          </th>
          <th scope="col">{before ?? t('previous')}</th>
          <th scope="col">{after ?? t('current')}</th>
        </tr>
      </thead>
      {grouped(soon).map(({ group, changes: within }, index) => (
        <tbody key={group ?? 'other'} aria-labelledby={`${id}-${index}`}>
          <tr>
            <th
              scope="colgroup"
              colSpan={3}
              id={`${id}-${index}`}
              className="text-xs text-muted-foreground pt-4 pb-1 text-left font-semibold"
            >
              {groupLabel(group)}
            </th>
          </tr>
          {within.map((change) => (
            <DifferenceRow
              key={change.path}
              change={change}
              names={names}
              element={elementName(change.path)}
              quiet={!marked.has(change)}
            />
          ))}
        </tbody>
      ))}
    </table>
  )
}

type DifferenceRowProps = {
  readonly change: Change
  readonly names: Names
  /** The list element that the change is about. */
  readonly element: string | null
  readonly quiet: boolean
}

function DifferenceRow({ change, names, element, quiet }: DifferenceRowProps) {
  const said = sayChange(change, names)
  return (
    <tr data-testid={`log-change-${change.path}`} className="border-border border-b align-top last:border-0">
      <th scope="row" className="py-2 pr-4 text-left font-medium">
        {pathLabel(change.path)}
        {element !== null && <span className="text-muted-foreground text-xs block font-normal break-words">{element}</span>}
      </th>
      <td data-testid="previous" className="py-1 pr-4">
        <SaidValue said={said} side="before" quiet={quiet} />
      </td>
      <td data-testid="current" className="py-1 pr-4">
        <SaidValue said={said} side="after" quiet={quiet} />
      </td>
    </tr>
  )
}
