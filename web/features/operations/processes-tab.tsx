import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { AwayService, LiveProcess } from '#contract/operations'
import { DataTable } from '@/components/data-table/data-table'
import type { DataColumn } from '@/components/data-table/table-view'
import { BoardImage } from '@/components/empty-images'
import { EmptyState } from '@/components/ui/empty-state'
import { Notice } from '@/components/ui/notice'
import { formatMinute } from '@/i18n/format'
import { Block } from './block.tsx'
import { operationsQueries } from './operations-queries.ts'

/** Processes that are alive, and services outside that they cannot reach. */
export function ProcessesTab() {
  const { t } = useTranslation('operations')
  const { data, error, refetch } = useQuery(operationsQueries.processes())
  return (
    <div className="flex flex-col gap-8">
      {data !== undefined && (
        <Block title={t('away.title')}>
          <Away services={data.away} />
        </Block>
      )}
      <Block title={t('processes.title')}>
        <DataTable
          caption={t('processes.table')}
          columns={useProcessColumns()}
          rowId={({ id }) => id}
          rows={data?.processes}
          failed={{ title: t('processes.error'), error, onRetry: () => void refetch() }}
          nothing={<EmptyState image={<BoardImage />} title={t('processes.empty')} />}
          testId="process-row"
        />
      </Block>
    </div>
  )
}

function Away({ services }: { readonly services: readonly AwayService[] }) {
  const { t } = useTranslation('operations')
  if (services.length === 0) return <p className="text-muted-foreground">{t('away.none')}</p>
  return (
    <ul className="flex flex-col gap-2">
      {services.map(({ name, since, processes }) => (
        <li key={name}>
          <Notice tone="bad">
            {t('away.since', { name, when: formatMinute(since) })} · {t('away.processes', { count: processes })}
          </Notice>
        </li>
      ))}
    </ul>
  )
}

function useProcessColumns(): readonly DataColumn<LiveProcess>[] {
  const { t } = useTranslation('operations')
  return [
    {
      id: 'name',
      header: t('processes.name'),
      rowHeader: true,
      className: 'wrap-anywhere font-mono text-xs',
      cell: ({ host, pid }) => `${host}:${pid}`,
    },
    { id: 'role', header: t('processes.role'), width: 'w-28', cell: ({ role }) => role },
    { id: 'version', header: t('processes.version'), width: 'w-28', cell: ({ version }) => version },
    {
      id: 'since',
      header: t('processes.since'),
      width: 'w-44',
      cell: ({ started_at: at }) => <time dateTime={at}>{formatMinute(at)}</time>,
    },
    {
      id: 'seen',
      header: t('processes.seen'),
      width: 'w-44',
      cell: ({ seen_at: at }) => <time dateTime={at}>{formatMinute(at)}</time>,
    },
  ]
}
