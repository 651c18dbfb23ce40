import { useTranslation } from 'react-i18next'
import type { ListRow } from '../../../../api/contract/campaign-list.ts'
import { SortHeader } from '../../../components/data-table/sort-header.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import type { ListScope } from '../campaign-queries.ts'
import { useCampaignActions } from '../campaign-actions.ts'
import { nextSort, SORTS, type ListSearch } from './campaign-list-search.ts'
import { CampaignRow } from './campaign-row.tsx'
import { CampaignRowMenu } from './campaign-row-menu.tsx'

type CampaignTableProps = {
  /** Undefined while the first answer is on its way. */
  readonly rows: readonly ListRow[] | undefined
  readonly search: ListSearch
  readonly canWrite: boolean
  readonly scope: ListScope
  readonly onSearch: (patch: Partial<ListSearch>) => void
}

const WIDTHS = ['', 'w-[12%]', 'w-[15%]', 'w-[15%]', 'w-[20%]'] as const

export function CampaignTable({ rows, search, canWrite, scope, onSearch }: CampaignTableProps) {
  const { t } = useTranslation('campaigns')
  const actions = useCampaignActions()
  return (
    <table aria-label={t('table')} aria-busy={rows === undefined} className="text-table w-full table-fixed border-collapse">
      <colgroup>
        {WIDTHS.map((width, column) => (
          <col key={SORTS[column]} className={width} />
        ))}
        <col className="w-14" />
      </colgroup>
      <thead className="text-ink-soft text-meta border-hairline bg-surface sticky top-0 z-10 border-b text-left [&_th]:h-10 [&_th:first-child]:pl-5">
        <tr>
          {SORTS.map((column) => (
            <SortHeader
              key={column}
              label={t(`columns.${column}`)}
              numeric={column !== 'name'}
              sorted={search.sort === column ? search.dir : null}
              onSort={() => onSearch({ ...nextSort(search, column), page: 0 })}
            />
          ))}
          <th scope="col">
            <span className="sr-only">{t('columns.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows === undefined
          ? Array.from({ length: search.rows }, (_, index) => <SkeletonRow key={index} />)
          : rows.map((row) => (
              <CampaignRow
                key={row.id}
                row={row}
                account={scope === 'all' ? row.space_name : null}
                menu={canWrite ? <CampaignRowMenu row={row} actions={actions} /> : null}
              />
            ))}
      </tbody>
    </table>
  )
}

function SkeletonRow() {
  return (
    <tr className="border-hairline h-[53px] border-b last:border-0">
      <td className="pl-5">
        <Skeleton className="mb-2 w-2/5" />
        <Skeleton className="h-2.5 w-1/4" />
      </td>
      {SORTS.slice(1).map((column) => (
        <td key={column} className="px-2">
          <Skeleton className="mb-2 ml-auto w-14" />
          <Skeleton className="ml-auto h-2.5 w-20" />
        </td>
      ))}
      <td className="pr-4">
        <Skeleton className="ml-auto w-4" />
      </td>
    </tr>
  )
}
