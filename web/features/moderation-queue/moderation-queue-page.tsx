import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Pagination } from '../../components/data-table/pagination.tsx'
import { DoneImage } from '../../components/empty-images.tsx'
import { LoadError } from '../../components/load-error.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { StatusText } from '../../components/status-text.tsx'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { moderationQueries, QUEUE_PAGE_SIZE } from '../../domain/moderation-queries.ts'
import { formatMinute } from '../../i18n/format.ts'

export function ModerationQueuePage() {
  const { t } = useTranslation('moderation')
  const [page, setPage] = useState(0)
  const { data, error, refetch } = useQuery(moderationQueries.queue(page))
  const total = data?.total_size ?? 0
  return (
    <div className="flex flex-col gap-4 px-8 pt-6 pb-10">
      <div>
        <PageHeader title={t('title')} />
        <p className="text-ink-soft">{t('queueText')}</p>
      </div>
      <section className="border-hairline bg-surface rounded-card overflow-clip border">
        {error !== null && data === undefined ? (
          <LoadError title={t('errorTitle')} error={error} onRetry={() => void refetch()} />
        ) : data?.data.length === 0 ? (
          <EmptyState image={<DoneImage />} title={t('emptyTitle')} text={t('emptyText')} />
        ) : (
          <table aria-label={t('table')} aria-busy={data === undefined} className="text-table w-full border-collapse">
            <thead className="text-ink-soft text-meta border-hairline border-b text-left [&_th]:h-10 [&_th]:px-2 [&_th]:font-medium [&_th:first-child]:pl-5">
              <tr>
                {(['campaign', 'account', 'status', 'submitted'] as const).map((column) => (
                  <th key={column} scope="col">
                    {t(`columns.${column}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="[&_td]:h-[52px] [&_td]:px-2 [&_td:first-child]:pl-5">
              {data === undefined
                ? [1, 2, 3, 4, 5].map((row) => (
                    <tr key={row} className="border-hairline border-b last:border-0">
                      {[1, 2, 3, 4].map((cell) => (
                        <td key={cell}>
                          <Skeleton className="w-2/3" />
                        </td>
                      ))}
                    </tr>
                  ))
                : data.data.map((row) => (
                    <tr
                      key={row.campaign_id}
                      className="border-hairline hover:bg-sunken relative border-b transition-colors last:border-0"
                    >
                      <td>
                        {/* The link covers its row, so the whole line can be clicked while one thing has the focus. */}
                        <Link
                          to="/campaign/edit/$id"
                          params={{ id: row.campaign_id }}
                          search={{ tab: 'basicInfo' }}
                          className="font-medium after:absolute after:inset-0"
                        >
                          {row.campaign_name}
                        </Link>
                      </td>
                      <td>{row.space_name}</td>
                      <td>
                        <StatusText statusKey={row.status_key} />
                      </td>
                      <td className="tabular-nums">{formatMinute(row.moderation_start_at)}</td>
                    </tr>
                  ))}
            </tbody>
          </table>
        )}
        {total > QUEUE_PAGE_SIZE && (
          <Pagination
            page={page}
            rows={QUEUE_PAGE_SIZE}
            total={total}
            rowChoices={[QUEUE_PAGE_SIZE]}
            backDisabled={page === 0}
            nextDisabled={(page + 1) * QUEUE_PAGE_SIZE >= total}
            onPage={setPage}
            onRows={() => undefined}
          />
        )}
      </section>
    </div>
  )
}
