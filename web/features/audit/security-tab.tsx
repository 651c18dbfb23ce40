import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { z } from '#contract/zod'
import type { readSecurityEvents } from '#contract/security'
import { DataTable } from '@/components/data-table/data-table'
import type { DataColumn } from '@/components/data-table/table-view'
import { LogImage } from '@/components/empty-images'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { formatMinute } from '@/i18n/format'
import { lookUp } from '@/i18n/look-up'
import { auditQueries } from './audit-queries.ts'

type SecurityEvent = z.output<typeof readSecurityEvents.output>[number]

/** Sign-ins, refusals, and changes of credentials and roles, newest first. */
export function SecurityTab() {
  const { t } = useTranslation('audit')
  const events = useInfiniteQuery(auditQueries.security())
  return (
    <div className="flex flex-col gap-3">
      <DataTable
        caption={t('security.table')}
        columns={useSecurityColumns()}
        rowId={({ id }) => id}
        rows={events.data?.pages.flat()}
        failed={{ title: t('security.error'), error: events.error, onRetry: () => void events.refetch() }}
        nothing={<EmptyState image={<LogImage />} title={t('security.empty')} />}
        testId="security-row"
      />
      {events.hasNextPage && (
        <Button
          variant="outline"
          className="self-center"
          disabled={events.isFetchingNextPage}
          onClick={() => void events.fetchNextPage()}
        >
          {t(events.isFetchingNextPage ? 'loading' : 'older')}
        </Button>
      )}
    </div>
  )
}

function useSecurityColumns(): readonly DataColumn<SecurityEvent>[] {
  const { t } = useTranslation('audit')
  return [
    {
      id: 'when',
      header: t('columns.when'),
      width: 'w-42',
      className: 'align-top whitespace-nowrap tabular-nums',
      cell: ({ at }) => <time dateTime={at}>{formatMinute(at)}</time>,
    },
    {
      id: 'what',
      header: t('security.what'),
      width: 'w-56',
      rowHeader: true,
      className: 'align-top',
      cell: ({ type, count }) => (
        <span className="font-medium">
          {lookUp(`audit:security.types.${type}`) ?? type}
          {count > 1 && <span className="text-muted-foreground font-normal tabular-nums"> {t('security.times', { count })}</span>}
        </span>
      ),
    },
    {
      id: 'details',
      header: t('security.details'),
      className: 'align-top wrap-anywhere text-xs',
      cell: ({ details }) => (
        <span className="text-muted-foreground">
          {Object.entries(details)
            .filter(([, value]) => value !== null && value !== '')
            .map(([name, value]) => `${lookUp(`audit:fields.${name}`) ?? name}: ${String(value)}`)
            .join(' · ')}
        </span>
      ),
    },
    {
      id: 'person',
      header: t('security.person'),
      width: 'w-48',
      className: 'align-top wrap-anywhere',
      cell: ({ person_id: id, person_name: name }) =>
        id === null ? <span className="text-muted-foreground">{t('security.signedOut')}</span> : (name ?? id),
    },
    {
      id: 'network',
      header: t('security.network'),
      width: 'w-44',
      className: 'align-top wrap-anywhere font-mono text-xs',
      cell: ({ client_network }) => client_network ?? '–',
    },
  ]
}
