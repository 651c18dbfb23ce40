import { Search, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Input } from '@/components/ui/input'
import { NativeSelect } from '@/components/ui/native-select'
import { STATUS_ALL, STATUS_KEYS } from '#domain/campaign/status/status-keys'
import { DateRangePicker } from '@/components/date/date-range-picker'
import { statusName } from '@/data/campaign-status'
import { useDebouncedCallback } from '@/lib/use-debounced-callback'
import { rangeOf, rangeSearch } from '@/lib/date-range'
import { LONGEST_QUERY, type ListSearch } from './campaign-list-search.ts'
import { useToday } from '@/lib/clock'

type ToolbarProps = {
  readonly search: ListSearch
  /** `replace` for typing, so that Back does not undo single keystrokes. */
  readonly onSearch: (patch: Partial<ListSearch>, history: 'push' | 'replace') => void
}

const DEBOUNCE_MS = 200

export function CampaignListToolbar({ search, onSearch }: ToolbarProps) {
  const { t } = useTranslation(['campaigns', 'status'])
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
  const searchSoon = useDebouncedCallback(() => write(typed), DEBOUNCE_MS)
  return (
    <search className="flex flex-wrap items-center gap-2">
      <div className="relative w-72 max-xl:w-auto max-xl:min-w-48 max-xl:flex-1">
        <Search aria-hidden className="text-muted-foreground pointer-events-none absolute top-2.5 left-3 size-4" />
        <Input
          ref={box}
          type="search"
          maxLength={LONGEST_QUERY}
          autoComplete="off"
          aria-label={t('campaigns:search')}
          placeholder={t('campaigns:search')}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            searchSoon()
          }}
          className="px-9 [&::-webkit-search-cancel-button]:hidden"
        />
        {typed !== '' && (
          <button
            type="button"
            aria-label={t('campaigns:clearSearch')}
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
      <NativeSelect
        aria-label={t('campaigns:statusFilter')}
        value={search.status}
        onChange={(event) => onSearch({ status: Number(event.target.value), page: 0 }, 'push')}
        className="w-60 max-xl:w-48"
      >
        <option value={STATUS_ALL}>{t('status:label.all')}</option>
        {STATUS_KEYS.map((key) => (
          <option key={key} value={key}>
            {t(`status:label.${statusName(key)}`)}
          </option>
        ))}
      </NativeSelect>
      <div className="ml-auto">
        <DateRangePicker
          value={rangeOf(search, today)}
          onChange={(range) => onSearch({ ...rangeSearch(range, today), page: 0 }, 'push')}
        />
      </div>
    </search>
  )
}
