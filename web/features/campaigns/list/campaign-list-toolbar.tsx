import { Search, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { STATUS_ALL, STATUS_KEYS } from '../../../../domain/campaign/status.ts'
import { DateRangePicker } from '../../../components/date-range-picker.tsx'
import { statusName } from '../../../domain/campaign-status.ts'
import { useDebouncedCallback } from '../../../lib/use-debounced-callback.ts'
import { useNow } from '../../../lib/use-now.ts'
import { rangeOf, rangeSearch, type ListSearch } from './campaign-list-search.ts'

type ToolbarProps = {
  readonly search: ListSearch
  /** `replace` for what is typed, so that Back does not go letter by letter. */
  readonly onSearch: (patch: Partial<ListSearch>, history: 'push' | 'replace') => void
}

const DEBOUNCE_MS = 200

export function CampaignListToolbar({ search, onSearch }: ToolbarProps) {
  const { t } = useTranslation(['campaigns', 'status'])
  const today = useNow()
  const [typed, setTyped] = useState(search.q)
  const [written, setWritten] = useState(search.q)
  // The URL may change under the field (Back, Clear filters); what it says then wins over what was typed.
  if (search.q !== written) {
    setWritten(search.q)
    setTyped(search.q)
  }
  const searchFor = useDebouncedCallback((q: string) => onSearch({ q, page: 0 }, 'replace'), DEBOUNCE_MS)
  return (
    <search className="flex flex-wrap items-center gap-2">
      <div className="relative w-72 max-xl:w-auto max-xl:min-w-48 max-xl:flex-1">
        <Search aria-hidden className="text-ink-soft pointer-events-none absolute top-2.5 left-3 size-4" />
        <input
          type="search"
          autoComplete="off"
          aria-label={t('campaigns:search')}
          placeholder={t('campaigns:search')}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            searchFor(event.target.value)
          }}
          className="control pr-9 pl-9 [&::-webkit-search-cancel-button]:hidden"
        />
        {search.q !== '' && (
          <button
            type="button"
            aria-label={t('campaigns:clearSearch')}
            onClick={() => onSearch({ q: '', page: 0 }, 'replace')}
            className="text-ink-soft hover:text-ink rounded-control absolute top-1 right-1 grid size-7 place-items-center"
          >
            <X aria-hidden className="size-4" />
          </button>
        )}
      </div>
      <select
        aria-label={t('campaigns:statusFilter')}
        value={search.status}
        onChange={(event) => onSearch({ status: Number(event.target.value), page: 0 }, 'push')}
        className="control select-arrow w-60 pr-8 max-xl:w-48"
      >
        <option value={STATUS_ALL}>{t('status:label.all')}</option>
        {STATUS_KEYS.map((key) => (
          <option key={key} value={key}>
            {t(`status:label.${statusName(key)}`)}
          </option>
        ))}
      </select>
      <div className="ml-auto">
        <DateRangePicker
          value={rangeOf(search, today)}
          onChange={(range) => onSearch({ ...rangeSearch(range, today), page: 0 }, 'push')}
        />
      </div>
    </search>
  )
}
