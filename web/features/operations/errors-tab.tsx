import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ServerError } from '#contract/operations'
import { DataTable } from '@/components/data-table/data-table'
import { pageParam } from '@/components/data-table/list-search'
import type { DataColumn } from '@/components/data-table/table-view'
import { useListPage } from '@/components/data-table/use-list-page'
import { DoneImage } from '@/components/empty-images'
import { EmptyState } from '@/components/ui/empty-state'
import { Input } from '@/components/ui/input'
import { formatMinute } from '@/i18n/format'
import { useDebouncedCallback } from '@/lib/use-debounced-callback'
import { OPERATIONS_ROWS, operationsQueries } from './operations-queries.ts'
import type { SectionProps } from './operations-search.ts'

const SEARCH_MS = 300

/** The newest errors of all processes, by the id of their request. */
export function ErrorsTab({ search: { page = 0, request }, onSearch }: SectionProps) {
  const { t } = useTranslation('operations')
  const [typed, setTyped] = useState(request ?? '')
  const show = (id: string) => onSearch({ request: id.trim() || undefined, page: undefined }, 'replace')
  const showSoon = useDebouncedCallback(show, SEARCH_MS)
  const list = useListPage({
    query: useQuery(operationsQueries.errors(page, request)),
    search: { page },
    onSearch: (patch, history) => onSearch({ page: pageParam(patch.page) }, history),
    rowChoices: [OPERATIONS_ROWS],
    failed: t('errors.error'),
    filters: {
      active: request !== undefined,
      title: t('errors.noMatch'),
      text: t('errors.noMatchText'),
      clear: t('errors.clear'),
      onClear: () => {
        setTyped('')
        show('')
      },
    },
  })
  return (
    <div className="flex flex-col gap-4">
      <search className="relative w-80 max-w-full">
        <Search aria-hidden className="text-muted-foreground pointer-events-none absolute top-2.5 left-3 size-4" />
        <Input
          type="search"
          autoComplete="off"
          maxLength={200}
          aria-label={t('errors.search')}
          placeholder={t('errors.search')}
          value={typed}
          onChange={({ target: { value } }) => {
            setTyped(value)
            showSoon(value)
          }}
          className="pl-9"
        />
      </search>
      <DataTable
        {...list}
        caption={t('errors.table')}
        columns={useErrorColumns()}
        rowId={({ id }) => id}
        nothing={<EmptyState image={<DoneImage />} title={t('errors.empty')} />}
        testId="error-row"
      />
    </div>
  )
}

function useErrorColumns(): readonly DataColumn<ServerError>[] {
  const { t } = useTranslation('operations')
  return [
    {
      id: 'what',
      header: t('errors.what'),
      rowHeader: true,
      className: 'align-top wrap-anywhere',
      cell: ({ route, status, message }) => (
        <>
          {route !== null && (
            <span className="block font-medium">
              {route} · {status}
            </span>
          )}
          <span className="text-muted-foreground text-xs">{message}</span>
        </>
      ),
    },
    {
      id: 'when',
      header: t('errors.when'),
      width: 'w-44',
      className: 'align-top',
      cell: ({ at }) => <time dateTime={at}>{formatMinute(at)}</time>,
    },
    {
      id: 'request',
      header: t('errors.request'),
      width: 'w-52',
      className: 'align-top wrap-anywhere font-mono text-xs',
      cell: ({ request_id }) => request_id ?? '–',
    },
    {
      id: 'process',
      header: t('errors.process'),
      width: 'w-44',
      className: 'align-top wrap-anywhere font-mono text-xs',
      cell: ({ host, pid }) => `${host}:${pid}`,
    },
  ]
}
