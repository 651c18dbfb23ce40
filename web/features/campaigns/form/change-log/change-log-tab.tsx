import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LogEntry } from '../../../../../api/contract/audit.ts'
import { Pagination } from '../../../../components/data-table/pagination.tsx'
import { LogImage } from '../../../../components/empty-images.tsx'
import { LoadError } from '../../../../components/load-error.tsx'
import { EmptyState } from '../../../../components/ui/empty-state.tsx'
import { campaignQueries } from '../../campaign-queries.ts'
import { ChangeLogTable } from './change-log-table.tsx'
import { LogDialog } from './log-dialog.tsx'
import { logPaging } from './log-paging.ts'

const ROW_CHOICES = [5, 10, 15, 25] as const

export function ChangeLogTab({ id }: { readonly id: string }) {
  const { t } = useTranslation('log')
  const [page, setPage] = useState(0)
  const [rows, setRows] = useState(25)
  const [open, setOpen] = useState<LogEntry | null>(null)
  const { data, error, isFetching, refetch } = useQuery(campaignQueries.log(id, page, rows))
  const total = data?.total_size ?? 0
  return (
    <section className="border-hairline bg-surface rounded-card overflow-clip border">
      {error !== null && data === undefined ? (
        <LoadError title={t('error')} error={error} onRetry={() => void refetch()} />
      ) : data !== undefined && data.data.length === 0 ? (
        <EmptyState image={<LogImage />} title={t('empty')} />
      ) : (
        <>
          <ChangeLogTable entries={data?.data} pageSize={rows} onOpen={setOpen} />
          <div className="border-hairline border-t">
            <Pagination
              page={page}
              rows={rows}
              total={total}
              rowChoices={ROW_CHOICES}
              {...logPaging({ page, rows, total, loading: isFetching })}
              onPage={setPage}
              onRows={(next) => {
                setRows(next)
                setPage(0)
              }}
            />
          </div>
        </>
      )}
      <LogDialog entry={open} onClose={() => setOpen(null)} />
    </section>
  )
}
