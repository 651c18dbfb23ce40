import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { retryParkedStream, type ParkedStream, type ReadModel } from '#contract/operations'
import { DataTable } from '@/components/data-table/data-table'
import type { DataColumn } from '@/components/data-table/table-view'
import { BoardImage, DoneImage } from '@/components/empty-images'
import { FieldsDialog } from '@/components/form/fields-dialog'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { call } from '@/data/client'
import { formatCount, formatMinute, formatShare } from '@/i18n/format'
import { useKeptRow } from '@/lib/use-kept-row'
import { formatSeconds } from './ages.ts'
import { Block } from './block.tsx'
import { OPERATIONS_KEY, operationsQueries } from './operations-queries.ts'

/** Every read model, and the streams that are parked. */
export function ReadModelsTab() {
  const { t } = useTranslation('operations')
  const { data, error, refetch } = useQuery(operationsQueries.readModels())
  const [retried, setRetried] = useState<ParkedStream | null>(null)
  const parkedColumns = useParkedColumns(setRetried)
  const keptRow = useKeptRow<HTMLDivElement>()
  const failed = { title: t('readModels.error'), error, onRetry: () => void refetch() }
  return (
    <div className="flex flex-col gap-8">
      <DataTable
        caption={t('readModels.table')}
        columns={useReadModelColumns()}
        rowId={({ name }) => name}
        rows={data?.read_models}
        failed={failed}
        nothing={<EmptyState image={<BoardImage />} title={t('readModels.empty')} />}
        testId="read-model-row"
      />
      {data !== undefined && (
        <Block title={t('parked.title')}>
          <div {...keptRow}>
            <DataTable
              caption={t('parked.table')}
              columns={parkedColumns}
              rowId={parkedId}
              rows={data.parked}
              nothing={<EmptyState image={<DoneImage />} title={t('parked.empty')} />}
              testId="parked-row"
            />
          </div>
        </Block>
      )}
      {retried !== null && <RetryDialog parked={retried} onClose={() => setRetried(null)} />}
    </div>
  )
}

const parkedId = ({ read_model: name, stream }: ParkedStream) => `${name} ${stream}`

function useReadModelColumns(): readonly DataColumn<ReadModel>[] {
  const { t } = useTranslation('operations')
  return [
    {
      id: 'name',
      header: t('readModels.name'),
      rowHeader: true,
      className: 'align-top wrap-anywhere',
      cell: ({ name, error, building }) => (
        <>
          <span className="font-medium">{name}</span>
          {error !== null && <span className="text-destructive block text-xs">{t('readModels.stopped', { error })}</span>}
          {building !== null && (
            <span className="text-muted-foreground block text-xs">
              {t('readModels.building', { share: formatShare(building * 100) })}
            </span>
          )}
        </>
      ),
    },
    {
      id: 'version',
      header: t('readModels.version'),
      width: 'w-24',
      numeric: true,
      className: 'align-top',
      cell: ({ version }) => version,
    },
    {
      id: 'behind',
      header: t('readModels.behind'),
      width: 'w-48',
      className: 'align-top',
      cell: ({ behind, behind_seconds: seconds }) =>
        behind === 0 ? t('readModels.upToDate') : `${t('readModels.events', { count: behind })} · ${formatSeconds(seconds)}`,
    },
    {
      id: 'parked',
      header: t('readModels.parked'),
      width: 'w-24',
      numeric: true,
      className: 'align-top',
      cell: ({ parked }) => formatCount(parked),
    },
    {
      id: 'leader',
      header: t('readModels.leader'),
      width: 'w-56',
      className: 'align-top wrap-anywhere font-mono text-xs',
      cell: ({ leader }) => leader ?? t('readModels.none'),
    },
  ]
}

function useParkedColumns(onRetry: (parked: ParkedStream) => void): readonly DataColumn<ParkedStream>[] {
  const { t } = useTranslation('operations')
  return [
    {
      id: 'stream',
      header: t('parked.stream'),
      rowHeader: true,
      className: 'align-top wrap-anywhere',
      cell: ({ read_model: name, stream }) => (
        <>
          <span className="font-mono text-xs">{stream}</span>
          <span className="text-muted-foreground block">{name}</span>
        </>
      ),
    },
    {
      id: 'since',
      header: t('parked.since'),
      width: 'w-44',
      className: 'align-top',
      cell: ({ since }) => <time dateTime={since}>{formatMinute(since)}</time>,
    },
    {
      id: 'error',
      header: t('parked.lastError'),
      className: 'align-top wrap-anywhere text-xs',
      cell: ({ error }) => <span className="text-muted-foreground">{error}</span>,
    },
    {
      id: 'actions',
      header: t('parked.actions'),
      headerHidden: true,
      width: 'w-36',
      className: 'align-top text-right',
      cell: (parked) => (
        <Button
          size="sm"
          variant="outline"
          data-focus="retry"
          aria-label={`${t('parked.retry')}: ${parkedId(parked)}`}
          onClick={() => onRetry(parked)}
        >
          {t('parked.retry')}
        </Button>
      ),
    },
  ]
}

function RetryDialog({ parked, onClose }: { readonly parked: ParkedStream; readonly onClose: () => void }) {
  const { t } = useTranslation('operations')
  const { read_model, stream } = parked
  const outcomeOf = (answer: unknown): string =>
    typeof answer === 'object' && answer !== null && 'error' in answer && typeof answer.error === 'string'
      ? t('parked.stays', { error: answer.error })
      : t('parked.applied')
  return (
    <FieldsDialog
      title={`${t('parked.retry')}: ${read_model}`}
      text={t('parked.text')}
      fields={{ reason: { label: t('reason'), kind: 'text', required: true } }}
      confirm={t('parked.retry')}
      send={({ reason }) => call(retryParkedStream, { body: { read_model, stream, reason } })}
      invalidates={[OPERATIONS_KEY]}
      done={outcomeOf}
      onClose={onClose}
    />
  )
}
