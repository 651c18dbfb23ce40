import { Search } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Input } from '@/components/ui/input'
import { SEARCH_DELAY_MS } from '@/data/search-queries'
import { useDebouncedCallback } from '@/lib/use-debounced-callback'

/** Longest text that the server searches for. */
const LONGEST = 300

type TableSearchProps = { readonly value: string; readonly onSearch: (text: string) => void }

/** Searches the rows of a report by name. */
export function TableSearch({ value, onSearch }: TableSearchProps) {
  const { t } = useTranslation('reports')
  const [typed, setTyped] = useState(value)
  const [shown, setShown] = useState(value)
  // The address changes by itself with Back and with another grouping; while typing it lags behind.
  if (value !== shown) {
    setShown(value)
    if (value === '' || !typed.startsWith(value)) setTyped(value)
  }
  const soon = useDebouncedCallback(() => {
    if (typed.trim() !== value) onSearch(typed.trim())
  }, SEARCH_DELAY_MS)
  return (
    <search className="relative w-64 max-xl:min-w-44 max-xl:flex-1">
      <Search aria-hidden className="text-muted-foreground pointer-events-none absolute top-2.5 left-3 size-4" />
      <Input
        type="search"
        autoComplete="off"
        maxLength={LONGEST}
        aria-label={t('table.search')}
        placeholder={t('table.search')}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          soon()
        }}
        className="pl-9"
      />
    </search>
  )
}
