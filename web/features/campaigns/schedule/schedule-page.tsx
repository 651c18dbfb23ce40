import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ScheduledChangeOut } from '#contract/schedules'
import { DataTable } from '@/components/data-table/data-table'
import { pageParam } from '@/components/data-table/list-search'
import { useListPage } from '@/components/data-table/use-list-page'
import { BoardImage } from '@/components/empty-images'
import { Segmented } from '@/components/form/segmented'
import { Page } from '@/components/page/page'
import { EmptyState } from '@/components/ui/empty-state'
import { campaignQueries } from '@/data/campaign-queries'
import { errorToast } from '@/i18n/error-toast'
import { useKeptRow } from '@/lib/use-kept-row'
import { canEver } from '@/session/can'
import { useMe } from '@/session/session-queries'
import { useScheduleColumns } from './schedule-columns.tsx'
import type { ScheduleRow } from './schedule-plan.ts'
import { SCHEDULE_ROWS, scheduleQueries } from './schedule-queries.ts'
import type { ScheduleSearch } from './schedule-search.ts'
import { useCancelScheduled } from './use-cancel-scheduled.ts'
import '@/i18n/texts/schedule'

const ScheduleDialog = lazy(() => import('./schedule-dialog.tsx'))

type SchedulePageProps = {
  readonly search: ScheduleSearch
  readonly onSearch: (patch: Partial<ScheduleSearch>, history?: 'push' | 'replace') => void
}
type Editing = { readonly change: ScheduledChangeOut; readonly row: ScheduleRow }

/** `/campaigns/schedule`: changes of campaigns that wait, the next one first; or those that ended, the newest first (fine print 100). */
export function SchedulePage({ search: { state: asked, page = 0 }, onSearch }: SchedulePageProps) {
  const state = asked ?? 'waiting'
  const { t } = useTranslation('schedule')
  const me = useMe()
  const queryClient = useQueryClient()
  const kept = useKeptRow<HTMLDivElement>()
  const [editing, setEditing] = useState<Editing | null>(null)
  const { mutate: cancel, isPending, variables } = useCancelScheduled()
  const query = useQuery(scheduleQueries.list(state, page))
  const list = useListPage({
    query,
    search: { page },
    onSearch: (patch, history) => onSearch({ page: pageParam(patch.page) }, history),
    rowChoices: [SCHEDULE_ROWS],
    failed: t('page.error'),
  })

  async function edit(change: ScheduledChangeOut) {
    try {
      const campaign = await queryClient.fetchQuery(campaignQueries.detail(change.campaign_id))
      setEditing({ change, row: { ...campaign, currency: change.currency ?? '' } })
    } catch (error) {
      errorToast(error)
    }
  }

  const columns = useScheduleColumns(state, {
    account: canEver(me, 'campaign.admin-list'),
    busy: isPending ? variables.id : null,
    onEdit: (change) => void edit(change),
    onCancel: cancel,
  })
  return (
    <Page
      {...kept}
      title={t('page.title')}
      breadcrumb={[
        <Link key="list" to="/campaigns">
          {t('page.campaigns')}
        </Link>,
      ]}
      description={
        (query.data?.total_size ?? 0) === 0 ? undefined : t(`page.found.${state}`, { count: query.data?.total_size ?? 0 })
      }
    >
      <Segmented
        quiet
        label={t('page.shown')}
        segments={[
          { value: 'waiting', label: t('page.waiting') },
          { value: 'ended', label: t('page.ended') },
        ]}
        value={state}
        onChange={(value) => onSearch({ state: value === 'ended' ? value : undefined, page: undefined })}
      />
      <DataTable
        {...list}
        caption={t('page.title')}
        columns={columns}
        rowId={({ id }) => id}
        nothing={
          <EmptyState
            image={<BoardImage />}
            title={t(`page.none.${state}`)}
            text={t(state === 'waiting' ? 'page.noneText' : 'page.endedText')}
          />
        }
        testId="scheduled-row"
      />
      {editing !== null && (
        <Suspense>
          <ScheduleDialog rows={[editing.row]} editing={editing.change} onClose={() => setEditing(null)} />
        </Suspense>
      )}
    </Page>
  )
}
