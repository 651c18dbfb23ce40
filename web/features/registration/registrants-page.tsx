import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { QueuedRegistrant } from '#contract/registration'
import { DueTime } from '@/components/due-time'
import { DataTable } from '@/components/data-table/data-table'
import type { DataColumn } from '@/components/data-table/table-view'
import { useListPage } from '@/components/data-table/use-list-page'
import { DoneImage } from '@/components/empty-images'
import { ModerationTabs } from '@/components/moderation-tabs'
import { Page } from '@/components/page/page'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { moderationQueries, QUEUE_PAGE_SIZE } from '@/data/moderation-queries'
import { formatDistance } from '@/i18n/format'
import { useNow } from '@/lib/clock'
import { nameOf, useRegistrantDecision, type Decided } from './use-registrant-decision.ts'
import '@/i18n/texts/moderation'
import '@/i18n/texts/registration'

const RejectRegistrantDialog = lazy(async () => ({
  default: (await import('./reject-registrant-dialog.tsx')).RejectRegistrantDialog,
}))

type RegistrantsPageProps = { readonly page: number; readonly onPage: (page: number) => void }

/** The registrants that wait for a decision, in the order in which they are due. */
export function RegistrantsPage({ page, onPage }: RegistrantsPageProps) {
  const { t } = useTranslation('registration')
  const navigate = useNavigate()
  const queue = useQuery({ ...moderationQueries.queue(page), placeholderData: keepPreviousData })
  const [rejected, setRejected] = useState<Decided | null>(null)
  const { approve, reject, isPending } = useRegistrantDecision()
  const columns = useRegistrantColumns({
    isPending,
    onApprove: (person) => approve.mutate(person),
    onReject: setRejected,
  })
  const total = queue.data?.registrants.total_size
  const list = useListPage({
    query: { ...queue, data: queue.data?.registrants },
    search: { page },
    onSearch: (patch) => onPage(patch.page ?? page),
    rowChoices: [QUEUE_PAGE_SIZE],
    failed: t('queue.error'),
  })
  return (
    <Page
      title={t('queue.title')}
      description={total === undefined || total === 0 ? undefined : t('queue.total', { count: total })}
      tabs={<ModerationTabs shown="registrants" campaigns={queue.data?.total_size} registrants={total} />}
    >
      <DataTable
        caption={t('queue.table')}
        columns={columns}
        rowId={({ id }) => id}
        {...list}
        onOpen={({ id }) => void navigate({ to: '/admin/moderate/user/$id', params: { id } })}
        nothing={<EmptyState image={<DoneImage />} title={t('queue.empty')} text={t('queue.emptyText')} />}
        testId="registrant-row"
      />
      <Suspense>
        {rejected !== null && (
          <RejectRegistrantDialog
            person={rejected}
            onClose={() => setRejected(null)}
            onReject={(comment) => {
              reject.mutate({ person: rejected, comment })
              setRejected(null)
            }}
          />
        )}
      </Suspense>
    </Page>
  )
}

type Actions = {
  readonly isPending: boolean
  readonly onApprove: (person: Decided) => void
  readonly onReject: (person: Decided) => void
}

function useRegistrantColumns({ isPending, onApprove, onReject }: Actions): readonly DataColumn<QueuedRegistrant>[] {
  const { t } = useTranslation('registration')
  const now = useNow(30_000)
  return [
    {
      id: 'name',
      header: t('queue.name'),
      rowHeader: true,
      cell: (row) => (
        <Link
          to="/admin/moderate/user/$id"
          params={{ id: row.id }}
          data-focus="name"
          className="inline-flex min-h-6 items-center rounded-[3px] align-middle font-medium [overflow-wrap:anywhere] hover:underline"
        >
          {nameOf(row)}
        </Link>
      ),
    },
    {
      id: 'company',
      header: t('queue.company'),
      className: 'max-w-48 truncate',
      cell: ({ company_name: name }) =>
        name === '' ? <span className="text-muted-foreground">–</span> : <span title={name}>{name}</span>,
    },
    {
      id: 'email',
      header: t('queue.email'),
      className: 'max-w-56 truncate',
      cell: ({ email }) => <span title={email}>{email}</span>,
    },
    { id: 'country', header: t('queue.country'), width: 'w-24', cell: ({ country }) => country ?? '–' },
    { id: 'currency', header: t('queue.currency'), width: 'w-24', cell: ({ currency }) => currency },
    {
      id: 'age',
      header: t('queue.age'),
      width: 'w-32',
      className: 'whitespace-nowrap text-muted-foreground',
      cell: ({ created_at: at }) => <time dateTime={at}>{formatDistance(at, now)}</time>,
    },
    {
      id: 'due',
      header: t('queue.due'),
      width: 'w-40',
      cell: (row) => <DueTime submission={{ moderation_start_at: row.created_at, due_at: row.due_at }} now={now} />,
    },
    {
      id: 'actions',
      header: t('queue.actions'),
      headerHidden: true,
      controls: true,
      width: 'w-52',
      cell: (row) => (
        <span className="flex justify-end gap-2">
          <Button
            size="sm"
            variant="outline"
            disabled={isPending}
            aria-label={t('queue.rejectOf', { name: nameOf(row) })}
            onClick={() => onReject(row)}
          >
            {t('queue.reject')}
          </Button>
          <Button
            size="sm"
            disabled={isPending}
            aria-label={t('queue.approveOf', { name: nameOf(row) })}
            onClick={() => onApprove(row)}
          >
            {t('queue.approve')}
          </Button>
        </span>
      ),
    },
  ]
}
