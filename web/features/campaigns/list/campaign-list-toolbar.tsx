import { Search, X } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Input } from '@/components/ui/input'
import { DateRangePicker } from '@/components/date/date-range-picker'
import type { ListScope } from '@/data/campaign-queries'
import { useDebouncedCallback } from '@/lib/use-debounced-callback'
import { rangeOf, rangeSearch } from '@/lib/date-range'
import { cn } from '@/lib/utils'
import { shownSpace } from '@/session/identity'
import { LabelFilter } from '../labels/label-filter.tsx'
import { AccountFilter } from './account-filter.tsx'
import {
  LONGEST_QUERY,
  readAccounts,
  readLabels,
  readStatuses,
  writeAccounts,
  writeLabels,
  writeStatuses,
  type ListSearch,
} from './campaign-list-search.ts'
import { StatusFilter } from './status-filter.tsx'
import { useToday } from '@/lib/clock'

type ToolbarProps = {
  readonly scope: ListScope
  readonly search: ListSearch
  /** The choice of a saved view, before the filters that it sets. */
  readonly views: ReactNode
  /** `replace` for typing, so that Back does not undo single keystrokes. */
  readonly onSearch: (patch: Partial<ListSearch>, history: 'push' | 'replace') => void
}

const DEBOUNCE_MS = 200

export function CampaignListToolbar({ scope, search, views, onSearch }: ToolbarProps) {
  const { t } = useTranslation('campaigns')
  const today = useToday()
  const box = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(search.q)
  const [shown, setShown] = useState(search.q)
  /** Values that this field has written to the URL, until the URL shows them. */
  const [written, setWritten] = useState<readonly string[]>([])
  if (search.q !== shown) {
    setShown(search.q)
    // The URL lags behind typing. The field takes over the URL's value only when something else changed it (Back, Clear filters).
    const own = written.indexOf(search.q)
    setWritten(written.slice(own + 1))
    if (own === -1) {
      setWritten([])
      setTyped(search.q)
    }
  }
  const write = (q: string) => {
    if (q === search.q) return
    setWritten((before) => [...before, q])
    onSearch({ q, page: 0 }, 'replace')
  }
  const accounts = readAccounts(search.accounts)
  /** The account whose labels filter the list: in the list of all accounts the only chosen one. */
  const labelled = scope === 'account' ? shownSpace() : accounts.length === 1 ? (accounts[0] ?? null) : null
  const searchSoon = useDebouncedCallback(() => write(typed), DEBOUNCE_MS)
  return (
    <search className="flex flex-wrap items-center gap-2">
      {views}
      <div className="relative min-w-40 flex-1 xl:max-w-60">
        <Search aria-hidden className="text-muted-foreground pointer-events-none absolute top-2.5 left-3 size-4" />
        <Input
          ref={box}
          type="search"
          maxLength={LONGEST_QUERY}
          autoComplete="off"
          aria-label={t('search')}
          placeholder={t('search')}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            searchSoon()
          }}
          className={cn('pl-9 [&::-webkit-search-cancel-button]:hidden', typed === '' ? 'pr-2' : 'pr-9')}
        />
        {typed !== '' && (
          <button
            type="button"
            aria-label={t('clearSearch')}
            onClick={() => {
              setTyped('')
              write('')
              box.current?.focus()
            }}
            className="text-muted-foreground hover:text-foreground rounded-md absolute top-1 right-1 grid size-7 place-items-center"
          >
            <X aria-hidden className="size-4" />
          </button>
        )}
      </div>
      <StatusFilter
        chosen={readStatuses(search.status)}
        onChoose={(keys) => onSearch({ status: writeStatuses(keys), page: 0 }, 'push')}
      />
      {scope === 'all' && (
        <AccountFilter
          chosen={accounts}
          // Labels belong to an account, so those of the accounts before say nothing here.
          onChoose={(ids) => onSearch({ accounts: writeAccounts(ids), labels: '', page: 0 }, 'push')}
        />
      )}
      {labelled !== null && (
        <LabelFilter
          spaceId={labelled}
          chosen={readLabels(search.labels)}
          onChoose={(ids) => onSearch({ labels: writeLabels(ids), page: 0 }, 'push')}
        />
      )}
      <div className="ml-auto">
        <DateRangePicker
          value={rangeOf(search, today)}
          onChange={(range) => onSearch({ ...rangeSearch(range, today), page: 0 }, 'push')}
        />
      </div>
    </search>
  )
}
