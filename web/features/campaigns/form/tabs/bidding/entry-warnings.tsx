import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { BidWarning } from '#domain/bidding/lint'
import type { Entries } from './entries.ts'
import { useWords } from './use-words.ts'

type EntryWarningsProps = { readonly warnings: readonly BidWarning[]; readonly entries: Entries }

/** Shows valid but probably unintended settings. */
export function EntryWarnings({ warnings, entries }: EntryWarningsProps) {
  const { t } = useTranslation('bidding')
  const { filterName } = useWords()
  const textOf = (warning: BidWarning) =>
    warning.kind === 'contradiction'
      ? t('contradiction', { field: filterName(warning.field) })
      : t('unreachable', { name: entries.find(({ id }) => id === warning.by)?.name ?? String(warning.by) })
  return (
    <ul aria-live="polite" className="flex flex-col gap-1 pr-5 pl-20 empty:hidden">
      {warnings.map((warning) => (
        <li key={warning.path + warning.kind} className="text-warning text-[0.8125rem]/4.5 flex gap-2 last:pb-3">
          <TriangleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          {textOf(warning)}
        </li>
      ))}
    </ul>
  )
}
