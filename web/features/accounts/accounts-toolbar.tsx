import { Search } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DateRangePicker } from '@/components/date/date-range-picker'
import { Input } from '@/components/ui/input'
import { NativeSelect } from '@/components/ui/native-select'
import { SEARCH_DELAY_MS } from '@/data/search-queries'
import { useToday } from '@/lib/clock'
import { useDebouncedCallback } from '@/lib/use-debounced-callback'
import { customRange, LONGEST_QUERY, PERIODS, STATES, type AccountsSearch } from './accounts-search.ts'

type ToolbarProps = {
  readonly search: AccountsSearch
  /** `replace` for typing, so that Back does not undo single keystrokes. */
  readonly onSearch: (patch: Partial<AccountsSearch>, history: 'push' | 'replace') => void
}

/** Filters of the accounts. */
export function AccountsToolbar({ search, onSearch }: ToolbarProps) {
  const { t } = useTranslation('accounts')
  const today = useToday()
  const type = (field: 'q' | 'name') => (text: string) => onSearch({ [field]: text, page: 0 }, 'replace')
  return (
    <search className="flex flex-wrap items-center gap-2">
      <TypedFilter label={t('search')} value={search.q} onTyped={type('q')} icon className="w-80 max-xl:flex-1 max-xl:min-w-48" />
      <TypedFilter label={t('name')} value={search.name} onTyped={type('name')} className="w-44 max-xl:min-w-40 max-xl:flex-1" />
      <NativeSelect
        aria-label={t('status')}
        value={search.status}
        className="w-48"
        onChange={({ target }) => onSearch({ status: STATES.find((state) => state === target.value) ?? 'all', page: 0 }, 'push')}
      >
        {STATES.map((state) => (
          <option key={state} value={state}>
            {t(`state.${state}`)}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect
        aria-label={t('period')}
        value={search.period}
        className="w-60"
        onChange={({ target }) =>
          onSearch(
            { period: PERIODS.find((period) => period === target.value) ?? 'all', start: undefined, end: undefined, page: 0 },
            'push',
          )
        }
      >
        {PERIODS.map((period) => (
          <option key={period} value={period}>
            {t(`periods.${period}`)}
          </option>
        ))}
      </NativeSelect>
      {search.period === 'custom' && (
        <DateRangePicker
          value={customRange(search, today)}
          onChange={({ start, end }) => onSearch({ start, end, page: 0 }, 'push')}
        />
      )}
    </search>
  )
}

type TypedFilterProps = {
  readonly label: string
  readonly value: string
  readonly onTyped: (text: string) => void
  readonly icon?: boolean
  readonly className: string
}

/** A text filter that takes effect after a pause in typing. */
function TypedFilter({ label, value, onTyped, icon = false, className }: TypedFilterProps) {
  const [typed, setTyped] = useState(value)
  const [shown, setShown] = useState(value)
  // The address changes by itself with Back and with Clear filters; while typing it lags behind.
  if (value !== shown) {
    setShown(value)
    if (value === '' || !typed.startsWith(value)) setTyped(value)
  }
  const soon = useDebouncedCallback(() => {
    if (typed !== value) onTyped(typed)
  }, SEARCH_DELAY_MS)
  return (
    <div className={`relative ${className}`}>
      {icon && <Search aria-hidden className="text-muted-foreground pointer-events-none absolute top-2.5 left-3 size-4" />}
      <Input
        type="search"
        autoComplete="off"
        maxLength={LONGEST_QUERY}
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          soon()
        }}
        className={icon ? 'pl-9' : undefined}
      />
    </div>
  )
}
