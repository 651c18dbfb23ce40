import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListRow } from '../../../../api/contract/campaign-list.ts'
import { useIsLater } from '@/components/later'
import { SortHeader } from '@/components/data-table/sort-header'
import { cn } from '@/lib/utils'
import { STACKED } from './stacked.ts'
import { Skeleton } from '@/components/ui/skeleton'
import { mayEnter } from '@/session/permissions'
import { useMe } from '@/session/session-queries'
import type { ListScope } from '../campaign-queries.ts'
import { useCampaignActions } from '../campaign-actions.ts'
import { nextSort, SORTS, type ListSearch } from './campaign-list-search.ts'
import { CampaignRow } from './campaign-row.tsx'
import { CampaignRowMenu } from './campaign-row-menu.tsx'
import { PerformanceButton } from './performance-button.tsx'
import type { Bulk } from './use-bulk.ts'

const ReplicateDialog = lazy(async () => ({ default: (await import('./replicate-dialog.tsx')).ReplicateDialog }))

type CampaignTableProps = {
  /** Undefined while the first answer is on its way. */
  readonly rows: readonly ListRow[] | undefined
  readonly search: ListSearch
  readonly canWrite: boolean
  readonly scope: ListScope
  readonly onSearch: (patch: Partial<ListSearch>) => void
  /** Null for readers who may change nothing. */
  readonly bulk: Bulk | null
}

/** Rows of the first sight: those below them come after. More would be one task that the browser cannot answer in. */
const AT_ONCE = 5
/** Height of a row with its line, pixels. */
const ROW = 53

/** What the figures need, in two lines or in one; the name has the rest. */
const WIDTHS = ['', 'w-28', 'w-28 @min-[64rem]:w-40', 'w-29 @min-[64rem]:w-40', 'w-33 @min-[64rem]:w-48'] as const

export function CampaignTable({ rows, search, canWrite, scope, onSearch, bulk }: CampaignTableProps) {
  const { t } = useTranslation('campaigns')
  const actions = useCampaignActions()
  const across = mayEnter(useMe().roles, 'campaign.replicate-across')
  const navigate = useNavigate()
  const whole = useIsLater()
  const [copying, setCopying] = useState<ListRow | null>(null)
  // Owners choose the account first; others go on in the form, which alone saves the copy (decisions G-094).
  const replicate = (row: ListRow) =>
    across
      ? setCopying(row)
      : void navigate({ to: '/campaign/create', search: { tab: 'basicInfo', type: 'awareness', replicatedId: row.id } })
  const ids = rows?.map(({ id }) => id) ?? []
  const shown = whole ? rows : rows?.slice(0, AT_ONCE)
  const toCome = (rows?.length ?? 0) - (shown?.length ?? 0)
  const every = ids.length > 0 && ids.every((id) => bulk?.chosen.has(id))
  return (
    <>
      <table
        aria-label={t('table')}
        aria-busy={rows === undefined}
        className={cn('text-[0.8125rem]/4.5 w-full table-fixed border-collapse', STACKED.table)}
        style={{ marginBottom: toCome * ROW }}
      >
        <colgroup>
          {bulk !== null && <col className="w-11" />}
          {WIDTHS.map((width, column) => (
            <col key={SORTS[column]} className={width} />
          ))}
          <col className="w-24" />
        </colgroup>
        <thead className="text-muted-foreground text-xs border-border bg-card top-0 z-10 border-b text-left [&_th:first-child]:pl-5 @min-[52rem]:sticky @min-[52rem]:[&_th]:h-10">
          <tr className={STACKED.row}>
            {bulk !== null && (
              <th scope="col" className={STACKED.box}>
                <input
                  type="checkbox"
                  aria-label={t('bulk.chooseAll')}
                  checked={every}
                  ref={(box) => {
                    if (box) box.indeterminate = !every && ids.some((id) => bulk.chosen.has(id))
                  }}
                  onChange={() => bulk.choose(ids, !every)}
                  className="accent-primary size-4 align-middle"
                />
              </th>
            )}
            {SORTS.map((column, place) => (
              <SortHeader
                key={column}
                label={t(`columns.${column}`)}
                numeric={column !== 'name'}
                className={STACKED.columns[place]}
                sorted={search.sort === column ? search.dir : null}
                onSort={() => onSearch({ ...nextSort(search, column), page: 0 })}
              />
            ))}
            <th scope="col" className={STACKED.menu}>
              <span className="sr-only">{t('columns.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown === undefined
            ? Array.from({ length: search.rows }, (_, index) => <SkeletonRow key={index} withBox={bulk !== null} />)
            : shown.map((row) => (
                <CampaignRow
                  key={row.id}
                  row={row}
                  account={scope === 'all' ? row.space_name : null}
                  box={
                    bulk === null ? null : (
                      <input
                        type="checkbox"
                        data-focus="box"
                        aria-label={t('bulk.choose', { name: row.name })}
                        checked={bulk.chosen.has(row.id)}
                        onChange={(event) => bulk.choose([row.id], event.target.checked)}
                        className="accent-primary size-4 align-middle"
                      />
                    )
                  }
                  menu={
                    <>
                      <PerformanceButton row={row} />
                      <CampaignRowMenu
                        row={row}
                        actions={canWrite ? { ...actions, replicate: { mutate: () => replicate(row) } } : null}
                        onReport={() => void navigate({ to: '/reports', search: { campaignId: row.id } })}
                      />
                    </>
                  }
                />
              ))}
        </tbody>
      </table>
      {copying !== null && (
        <Suspense>
          <ReplicateDialog
            campaign={copying}
            onClose={() => setCopying(null)}
            onReplicate={(spaceId) => {
              setCopying(null)
              actions.replicate.mutate({ ...copying, spaceId })
            }}
          />
        </Suspense>
      )}
    </>
  )
}

function SkeletonRow({ withBox }: { readonly withBox: boolean }) {
  return (
    <tr className={cn('border-border h-[53px] border-b last:border-0', STACKED.row)}>
      {withBox && (
        <td className={cn('pl-5', STACKED.box)}>
          <Skeleton className="size-4" />
        </td>
      )}
      <td className={cn('pl-5', STACKED.columns[0])}>
        <Skeleton className="mb-2 w-2/5" />
        <Skeleton className="h-2.5 w-1/4" />
      </td>
      {SORTS.slice(1).map((column, place) => (
        <td key={column} className={cn('px-2', STACKED.columns[place + 1])}>
          <Skeleton className="mb-2 ml-auto w-14" />
          <Skeleton className="ml-auto h-2.5 w-20" />
        </td>
      ))}
      <td className={cn('pr-4', STACKED.menu)}>
        <Skeleton className="ml-auto w-12" />
      </td>
    </tr>
  )
}
