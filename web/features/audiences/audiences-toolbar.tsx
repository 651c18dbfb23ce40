import { Search } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Input } from '@/components/ui/input'
import { NativeSelect } from '@/components/ui/native-select'
import { SEARCH_DELAY_MS } from '@/data/search-queries'
import { useDebouncedCallback } from '@/lib/use-debounced-callback'
import { AUDIENCE_STATUSES, AUDIENCE_TYPES, LONGEST_NAME, type AudiencesSearch } from './audiences-search.ts'

type ToolbarProps = {
  readonly search: AudiencesSearch
  /** `replace` for typing, so that Back does not undo single keystrokes. */
  readonly onSearch: (patch: Partial<AudiencesSearch>, history: 'push' | 'replace') => void
}

/** Filters of the audiences. */
export function AudiencesToolbar({ search, onSearch }: ToolbarProps) {
  const { t } = useTranslation('audiences')
  const [typed, setTyped] = useState(search.name)
  const [shown, setShown] = useState(search.name)
  // The address changes by itself with Back and with Clear filters; while typing it lags behind.
  if (search.name !== shown) {
    setShown(search.name)
    if (search.name === '' || !typed.startsWith(search.name)) setTyped(search.name)
  }
  const soon = useDebouncedCallback(() => {
    if (typed !== search.name) onSearch({ name: typed, page: 0 }, 'replace')
  }, SEARCH_DELAY_MS)
  return (
    <search className="flex flex-wrap items-center gap-2">
      <div className="relative w-80 max-xl:min-w-48 max-xl:flex-1">
        <Search aria-hidden className="text-muted-foreground pointer-events-none absolute top-2.5 left-3 size-4" />
        <Input
          type="search"
          autoComplete="off"
          maxLength={LONGEST_NAME}
          aria-label={t('search')}
          placeholder={t('search')}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            soon()
          }}
          className="pl-9"
        />
      </div>
      <NativeSelect
        aria-label={t('type')}
        value={search.type}
        className="w-40"
        onChange={({ target }) =>
          onSearch({ type: AUDIENCE_TYPES.find((type) => type === target.value) ?? 'all', page: 0 }, 'push')
        }
      >
        {AUDIENCE_TYPES.map((type) => (
          <option key={type} value={type}>
            {type === 'all' ? t('allTypes') : t(`types.${type}`)}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect
        aria-label={t('status')}
        value={search.status}
        className="w-44"
        onChange={({ target }) =>
          onSearch({ status: AUDIENCE_STATUSES.find((status) => status === target.value) ?? 'all', page: 0 }, 'push')
        }
      >
        {AUDIENCE_STATUSES.map((status) => (
          <option key={status} value={status}>
            {status === 'all' ? t('allStatuses') : t(`statuses.${status}`)}
          </option>
        ))}
      </NativeSelect>
    </search>
  )
}
