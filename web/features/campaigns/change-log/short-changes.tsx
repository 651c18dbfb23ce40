import { useTranslation } from 'react-i18next'
import type { Change } from './field-changes.ts'
import { pathLabel } from './log-labels.ts'
import { inOneLine, type Said } from './said.ts'
import { sayChange } from './said-change.ts'
import type { Names } from './values.ts'

type ShortChangesProps = { readonly changes: readonly Change[]; readonly names: Names; readonly most?: number }

/** Maximum number of changes shown. A "1 more" line would be as long as the change itself. */
const SHOWN = 2

/** The first changes of an entry, one line each, and the number of the others. */
export function ShortChanges({ changes, names, most = SHOWN }: ShortChangesProps) {
  const { t } = useTranslation('log')
  const shown = changes.slice(0, changes.length === most + 1 ? most + 1 : most)
  const more = changes.length - shown.length
  return (
    <ul>
      {shown.map((change, index) => (
        <li key={change.path} className="flex gap-2">
          <span className="min-w-0 truncate">
            {pathLabel(change.path)} <ShortValues change={change} names={names} />
          </span>
          {more > 0 && index === shown.length - 1 && (
            <span className="text-muted-foreground shrink-0 tabular-nums">{t('more', { count: more })}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** "20 → 30"; for a list, the removed and added items. */
function ShortValues({ change, names }: { readonly change: Change; readonly names: Names }) {
  const { t } = useTranslation('log')
  const { before, after, items } = sayChange(change, names)
  const words =
    items === null
      ? `${lineOf(before, t('nothing'))} → ${lineOf(after, t('nothing'))}`
      : items.flatMap(({ item, in: side }) => (side === 'both' ? [] : `${side === 'before' ? '−' : '+'} ${item.text}`)).join(', ')
  return <span className="text-muted-foreground tabular-nums">{words}</span>
}

const LONGEST = 40
const lineOf = (said: Said, nothing: string): string => {
  const line = inOneLine(said).replaceAll(/\s+/g, ' ')
  if (line === '') return nothing
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line
}
