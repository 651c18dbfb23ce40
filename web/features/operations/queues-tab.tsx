import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Queue } from '#contract/operations'
import { DataTable } from '@/components/data-table/data-table'
import type { DataColumn } from '@/components/data-table/table-view'
import { BoardImage } from '@/components/empty-images'
import { EmptyState } from '@/components/ui/empty-state'
import { formatCount } from '@/i18n/format'
import { lookUp } from '@/i18n/look-up'
import { formatSeconds } from './ages.ts'
import { FailedJobs } from './failed-jobs.tsx'
import { operationsQueries } from './operations-queries.ts'
import type { SectionProps } from './operations-search.ts'

/** Every queue, and the jobs that failed. */
export function QueuesTab(section: SectionProps) {
  const { t } = useTranslation('operations')
  const { data, error, refetch } = useQuery(operationsQueries.queues())
  return (
    <div className="flex flex-col gap-8">
      <FailedJobs {...section} />
      <DataTable
        caption={t('queues.table')}
        columns={useQueueColumns()}
        rowId={({ name }) => name}
        rows={data?.queues}
        failed={{ title: t('queues.error'), error, onRetry: () => void refetch() }}
        nothing={<EmptyState image={<BoardImage />} title={t('queues.empty')} />}
        testId="queue-row"
      />
    </div>
  )
}

function useQueueColumns(): readonly DataColumn<Queue>[] {
  const { t } = useTranslation('operations')
  const count = (id: 'due' | 'running' | 'waiting' | 'dead'): DataColumn<Queue> => ({
    id,
    header: t(`queues.${id}`),
    numeric: true,
    cell: ({ is_jobs, [id]: value }) => (is_jobs || id === 'due' ? formatCount(value) : '–'),
  })
  return [
    {
      id: 'name',
      header: t('queues.name'),
      rowHeader: true,
      className: 'wrap-anywhere font-medium',
      cell: ({ name }) => lookUp(`operations:queues.names.${name}`) ?? name,
    },
    count('due'),
    count('running'),
    count('waiting'),
    count('dead'),
    {
      id: 'oldest',
      header: t('queues.oldest'),
      numeric: true,
      cell: ({ oldest_seconds: seconds }) => (seconds === 0 ? '–' : formatSeconds(seconds)),
    },
  ]
}
