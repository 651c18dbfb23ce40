import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState, type UIEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { BANNER_SIZES } from '#domain/campaign/content/options'
import { Input } from '@/components/ui/input'
import { NativeSelect } from '@/components/ui/native-select'
import { useDebounced } from '@/lib/use-debounced'
import { useFormValue } from '@/features/campaigns/form/campaign-form-context'
import { ListFailure } from '../list-failure.tsx'
import { PLACE_FILTERS, placesQuery, type PlaceFilter, type PlaceFilters } from './places-query.ts'
import { PlacesTable } from './places-table.tsx'
import { useCategorySearch } from './use-category-search.ts'

/** Pause in typing before a search (campaigns.md §9). Milliseconds. */
const SEARCH_DELAY = 1000
/** Distance from the end of the list at which the next page is read, in pixels. */
const NEAR_END = 200

const ALL: PlaceFilters = { category: '', environment: '', creative_position: '', creative_type: '', creative_size: '' }

/** Places where ads can be bought in the campaign's country: searched, filtered, and read on while scrolling. */
export function PlacesList() {
  const { t } = useTranslation('placement')
  const country = useFormValue('country')
  const search = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [filters, setFilters] = useState(ALL)
  const name = useDebounced(typed.trim(), SEARCH_DELAY)
  const { data, error, refetch, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery(placesQuery(name, country, filters))
  const readOn = ({ currentTarget: { scrollTop, clientHeight, scrollHeight } }: UIEvent) => {
    if (hasNextPage && !isFetching && scrollTop + clientHeight >= scrollHeight - NEAR_END) void fetchNextPage()
  }
  const options = usePlaceOptions()
  return (
    <>
      <search className="flex flex-wrap items-end gap-3">
        <Input
          ref={search}
          type="search"
          maxLength={300}
          autoComplete="off"
          aria-label={t('places.search')}
          placeholder={t('places.search')}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          className="w-60"
        />
        {PLACE_FILTERS.map((key) => (
          <label key={key} className="text-muted-foreground flex flex-col gap-1 text-xs">
            {t(`places.filter.${key}`)}
            <NativeSelect
              value={filters[key]}
              className="text-foreground w-40"
              onChange={({ target }) => setFilters({ ...filters, [key]: target.value })}
            >
              <option value="">{t('places.all')}</option>
              {options[key].map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </NativeSelect>
          </label>
        ))}
      </search>
      <ListFailure error={data === undefined ? error : null} retry={refetch} focus={() => search.current?.focus()} />
      {/* A scrollable list must be reachable by keyboard. */}
      <section
        aria-label={t('places.list')}
        aria-busy={isFetching}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={readOn}
        className="border-border max-h-96 overflow-auto rounded-lg border"
      >
        <PlacesTable places={data?.pages.flatMap((page) => page.data)} />
      </section>
    </>
  )
}

type Option = { readonly value: string; readonly label: string }

const POSITIONS = ['0', '1', '3', '4', '5', '6', '7'] as const

function usePlaceOptions(): Readonly<Record<PlaceFilter, readonly Option[]>> {
  const { t } = useTranslation('placement')
  const apps = useCategorySearch('app')
  const games = useCategorySearch('game')
  return {
    category: [...apps.options, ...games.options].map(({ id, label }) => ({ value: id, label })),
    environment: (['app', 'site'] as const).map((value) => ({ value, label: t(`places.environments.${value}`) })),
    creative_position: POSITIONS.map((value) => ({ value, label: t(`places.positions.${value}`) })),
    creative_type: (['banner', 'native', 'video'] as const).map((value) => ({ value, label: t(`places.types.${value}`) })),
    creative_size: BANNER_SIZES.map(({ width, height }) => ({ value: `${width}x${height}`, label: `${width}×${height}` })),
  }
}
