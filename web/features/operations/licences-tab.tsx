import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ShippedPackage } from '#contract/operations'
import { DataTable } from '@/components/data-table/data-table'
import { pageParam } from '@/components/data-table/list-search'
import type { DataColumn } from '@/components/data-table/table-view'
import { useListPage } from '@/components/data-table/use-list-page'
import { BoardImage } from '@/components/empty-images'
import { EmptyState } from '@/components/ui/empty-state'
import { OPERATIONS_ROWS, operationsQueries } from './operations-queries.ts'
import type { SectionProps } from './operations-search.ts'

/** The packages that are shipped with the product. */
export function LicencesTab({ search: { page = 0 }, onSearch }: SectionProps) {
  const { t } = useTranslation('operations')
  const list = useListPage({
    query: useQuery(operationsQueries.licences(page)),
    search: { page },
    onSearch: (patch, history) => onSearch({ page: pageParam(patch.page) }, history),
    rowChoices: [OPERATIONS_ROWS],
    failed: t('licences.error'),
  })
  return (
    <DataTable
      {...list}
      caption={t('licences.table')}
      columns={usePackageColumns()}
      rowId={({ name, version }) => `${name}@${version}`}
      nothing={<EmptyState image={<BoardImage />} title={t('licences.empty')} />}
      testId="licence-row"
    />
  )
}

function usePackageColumns(): readonly DataColumn<ShippedPackage>[] {
  const { t } = useTranslation('operations')
  return [
    {
      id: 'name',
      header: t('licences.name'),
      rowHeader: true,
      className: 'wrap-anywhere font-medium',
      cell: ({ name }) => name,
    },
    { id: 'version', header: t('licences.version'), className: 'wrap-anywhere', cell: ({ version }) => version },
    {
      id: 'licence',
      header: t('licences.licence'),
      className: 'wrap-anywhere',
      cell: ({ licence }) => licence ?? <span className="text-muted-foreground">{t('licences.none')}</span>,
    },
  ]
}
