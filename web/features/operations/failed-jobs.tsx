import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { discardJob, retryJob, type FailedJob } from '#contract/operations'
import { DataTable } from '@/components/data-table/data-table'
import { pageParam } from '@/components/data-table/list-search'
import type { DataColumn } from '@/components/data-table/table-view'
import { useListPage } from '@/components/data-table/use-list-page'
import { DoneImage } from '@/components/empty-images'
import { FieldsDialog } from '@/components/form/fields-dialog'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { call } from '@/data/client'
import { formatMinute } from '@/i18n/format'
import { useKeptRow } from '@/lib/use-kept-row'
import { Block } from './block.tsx'
import { OPERATIONS_KEY, OPERATIONS_ROWS, operationsQueries } from './operations-queries.ts'
import type { SectionProps } from './operations-search.ts'

const CALLS = { retry: retryJob, discard: discardJob } as const
type Act = { readonly act: keyof typeof CALLS; readonly job: FailedJob }

/** Jobs that failed. Each can be tried again, and one that was given up discarded. */
export function FailedJobs({ search: { page = 0 }, onSearch }: SectionProps) {
  const { t } = useTranslation('operations')
  const [act, setAct] = useState<Act | null>(null)
  const keptRow = useKeptRow<HTMLDivElement>()
  const list = useListPage({
    query: useQuery(operationsQueries.jobs(page)),
    search: { page },
    onSearch: (patch, history) => onSearch({ page: pageParam(patch.page) }, history),
    rowChoices: [OPERATIONS_ROWS],
    failed: t('jobs.error'),
  })
  return (
    <Block title={t('jobs.title')}>
      <div {...keptRow}>
        <DataTable
          {...list}
          caption={t('jobs.table')}
          columns={useJobColumns(setAct)}
          rowId={idOf}
          nothing={<EmptyState image={<DoneImage />} title={t('jobs.empty')} />}
          testId="job-row"
        />
      </div>
      {act !== null && <ActDialog {...act} onClose={() => setAct(null)} />}
    </Block>
  )
}

const idOf = ({ kind, key }: FailedJob) => `${kind} ${key}`

function useJobColumns(onAct: (act: Act) => void): readonly DataColumn<FailedJob>[] {
  const { t } = useTranslation('operations')
  return [
    {
      id: 'name',
      header: t('jobs.name'),
      rowHeader: true,
      className: 'align-top wrap-anywhere',
      cell: ({ kind, key }) => (
        <>
          <span className="font-medium">{kind}</span>
          <span className="text-muted-foreground block font-mono text-xs">{key}</span>
        </>
      ),
    },
    {
      id: 'state',
      header: t('jobs.state'),
      width: 'w-44',
      className: 'align-top',
      cell: ({ dead_at: dead, next_at: next }) =>
        dead === null ? t('jobs.next', { when: formatMinute(next ?? '') }) : t('jobs.given', { when: formatMinute(dead) }),
    },
    { id: 'tries', header: t('jobs.tries'), width: 'w-20', numeric: true, className: 'align-top', cell: ({ tries }) => tries },
    {
      id: 'error',
      header: t('jobs.lastError'),
      className: 'align-top wrap-anywhere text-xs',
      cell: ({ error }) => <span className="text-muted-foreground">{error ?? '–'}</span>,
    },
    {
      id: 'actions',
      header: t('jobs.actions'),
      headerHidden: true,
      width: 'w-56',
      className: 'align-top',
      cell: (job) => (
        <span className="flex flex-wrap justify-end gap-2">
          <Button
            size="sm"
            variant="outline"
            data-focus="retry"
            aria-label={`${t('jobs.retry')}: ${idOf(job)}`}
            onClick={() => onAct({ act: 'retry', job })}
          >
            {t('jobs.retry')}
          </Button>
          {job.dead_at !== null && (
            <Button
              size="sm"
              variant="outline"
              aria-label={`${t('jobs.discard')}: ${idOf(job)}`}
              onClick={() => onAct({ act: 'discard', job })}
            >
              {t('jobs.discard')}
            </Button>
          )}
        </span>
      ),
    },
  ]
}

function ActDialog({ act, job, onClose }: Act & { readonly onClose: () => void }) {
  const { t } = useTranslation('operations')
  return (
    <FieldsDialog
      title={`${t(`jobs.${act}`)}: ${job.kind}`}
      text={t(act === 'retry' ? 'jobs.retryText' : 'jobs.discardText')}
      fields={{ reason: { label: t('reason'), kind: 'text', required: true } }}
      confirm={t(`jobs.${act}`)}
      tone={act === 'discard' ? 'destructive' : 'default'}
      send={({ reason }) => call(CALLS[act], { body: { kind: job.kind, key: job.key, reason } })}
      invalidates={[OPERATIONS_KEY]}
      done={t(act === 'retry' ? 'jobs.retried' : 'jobs.discarded')}
      onClose={onClose}
    />
  )
}
