import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { CalendarClock, FileInput, Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListRow } from '#contract/campaign-list'
import { accountReport } from '#contract/reports'
import { offersFor } from '@/app/actions'
import { useShortcuts } from '@/app/shortcuts/shortcuts'
import { CsvButton } from '@/components/data-table/csv-button'
import { DataTable } from '@/components/data-table/data-table'
import { readHidden } from '@/components/data-table/table-view'
import { useListPage } from '@/components/data-table/use-list-page'
import { BoardImage } from '@/components/empty-images'
import { Page } from '@/components/page/page'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { attentionQueries } from '@/data/attention-queries'
import type { ListScope } from '@/data/campaign-queries'
import { download } from '@/data/client'
import { useToday } from '@/lib/clock'
import { useKeptRow } from '@/lib/use-kept-row'
import { useOpening } from '@/lib/use-opening'
import { cn } from '@/lib/utils'
import { isAdvertiser, useCan } from '@/session/can'
import { useMe, useWhitelabel } from '@/session/session-queries'
import { guideQueries } from '../first-run/guide-queries.ts'
import { useCampaignMenu } from '../header/use-campaign-menu.tsx'
import { useEditKey } from '../quick-edit/use-edit-key.ts'
import { useLabels } from '../labels/use-labels.tsx'
import { useKeptPlaces } from '../quick-edit/use-kept-places.ts'
import { useQuickEdit } from '../quick-edit/use-quick-edit.ts'
import { useListViews } from '../list-views/use-list-views.ts'
import { stateOf } from '../list-views/view-state.ts'
import { ViewsButton } from '../list-views/views-button.tsx'
import { AttentionPanel } from './attention-panel.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { isCounted, opens, useCampaignColumns } from './campaign-columns.tsx'
import { exportInputOf, inputOf, listQuery } from './campaign-list-query.ts'
import { isFiltered, NO_FILTERS, ROWS_PER_PAGE, SORTS, type ListSearch } from './campaign-list-search.ts'
import { CampaignListToolbar } from './campaign-list-toolbar.tsx'
import { CampaignRowMenu } from './campaign-row-menu.tsx'
import { PerformanceButton } from './performance-button.tsx'
import { useBulk } from './use-bulk.ts'
import { useTrends } from './use-trends.ts'

const loadGoalPicker = () => import('./goal-picker-dialog.tsx')
const GoalPickerDialog = lazy(async () => ({ default: (await loadGoalPicker()).GoalPickerDialog }))
const loadGuide = () => import('../first-run/first-run-guide.tsx')
const FirstRunGuide = lazy(async () => ({ default: (await loadGuide()).FirstRunGuide }))
const ImportDialog = lazy(() => import('../sheet-import/import-dialog.tsx'))
const BulkEditDialog = lazy(async () => ({ default: (await import('../quick-edit/bulk-edit-dialog.tsx')).BulkEditDialog }))
const ScheduleDialog = lazy(() => import('../schedule/schedule-dialog.tsx'))

type CampaignListPageProps = {
  readonly scope: ListScope
  readonly search: ListSearch
  readonly onSearch: (patch: Partial<ListSearch>, history?: 'push' | 'replace') => void
}

/** Accounts with more campaigns are not new. */
const FEW = 2

export function CampaignListPage({ scope, search, onSearch }: CampaignListPageProps) {
  const { t } = useTranslation('campaigns')
  const navigate = useNavigate()
  const me = useMe()
  const can = useCan()
  const canWrite = can('campaign.write')
  const { audio } = useWhitelabel()
  const [picking, setPicking] = useState(false)
  const [importing, setImporting] = useState(false)
  /** Ids of the campaigns in the dialog of bulk edits. */
  const [editing, setEditing] = useState<readonly string[] | null>(null)
  /** Ids of the campaigns in the dialog of scheduled changes. */
  const [scheduling, setScheduling] = useState<readonly string[] | null>(null)
  const today = useToday()
  const campaigns = useQuery(listQuery(scope, search, today))
  const { data } = campaigns
  const views = useListViews({ scope, search, today, onSearch })
  const { rows, places } = useKeptPlaces(JSON.stringify([scope, search]), data?.data)
  const edit = useQuickEdit(places)
  useEditKey()
  useShortcuts([
    {
      id: 'campaigns.scheduled',
      label: t('scheduledAll'),
      keys: [],
      Icon: CalendarClock,
      run: () => void navigate({ to: '/campaigns/schedule' }),
    },
  ])
  const bulk = useBulk({
    rows: rows ?? [],
    total: data?.total_size ?? 0,
    scope,
    input: inputOf(scope, search, today),
  })
  const kept = useKeptRow<HTMLDivElement>()
  const menu = useCampaignMenu(
    ({ space_id }) => space_id,
    ({ id }) => setScheduling([id]),
  )
  const editOf = (row: ListRow) => (opens(row) && can('campaign.edit', row) ? edit : null)
  const labels = useLabels(bulk.known, bulk.here, (ids) => bulk.select(ids, false))
  const trends = useTrends(rows ?? [], search.sort, !readHidden(search.hide).includes('trend'))
  const columns = useCampaignColumns({ account: scope === 'all', editOf, trends }, (row) => (
    <>
      <PerformanceButton row={row} />
      <CampaignRowMenu
        name={row.name}
        offers={offersFor(me, row)}
        further={labels.itemsOf(row)}
        onChoose={(offer) => menu.perform(offer, row)}
      />
    </>
  ))

  const total = data?.total_size ?? 0
  /** The list of an advertiser who manages its campaigns. */
  const isOwn = scope === 'account' && canWrite && isAdvertiser(me)
  // A search that finds few campaigns does not make the account new.
  const guided = isOwn && data !== undefined && total <= FEW && !isFiltered(search)
  const attention = useQuery({ ...attentionQueries.mine(), enabled: isOwn })
  const guide = useQuery({ ...guideQueries.get(), enabled: guided })
  // The rows must not move away from under the pointer.
  const isOpening = useOpening(
    views.isOpening || (isOwn && (campaigns.isPending || attention.isPending || (guided && guide.isPending))),
  )
  const list = useListPage({
    query: campaigns,
    search,
    onSearch,
    rowChoices: ROWS_PER_PAGE,
    sorts: SORTS,
    arranged: true,
    failed: t('empty.error'),
    filters: {
      active: isFiltered(search),
      title: t('empty.noMatch'),
      text: t('empty.noMatchText'),
      clear: t('empty.clear'),
      onClear: () => onSearch(NO_FILTERS),
    },
  })
  const title = t(scope === 'account' ? 'title' : 'titleAll')
  const add = canWrite && scope === 'account' && (
    <Button onPointerEnter={() => void loadGoalPicker()} onFocus={() => void loadGoalPicker()} onClick={() => setPicking(true)}>
      <Plus aria-hidden />
      {t('add')}
    </Button>
  )
  return (
    <Page
      {...kept}
      title={views.shown === null || views.isChanged ? title : t('views.heading', { list: title, name: views.shown.name })}
      description={data === undefined ? undefined : t('found', { count: total })}
      actions={
        <>
          {total > 0 && (
            <Button asChild variant="ghost">
              <Link to="/campaigns/schedule">
                <CalendarClock aria-hidden />
                {t('scheduled')}
              </Link>
            </Button>
          )}
          {total > 0 && (
            <CsvButton file="campaigns.csv" load={() => download(accountReport, { body: exportInputOf(scope, search, today) })} />
          )}
          {canWrite && total > 0 && (
            <Button variant="outline" onClick={() => setImporting(true)}>
              <FileInput aria-hidden />
              {t('import')}
            </Button>
          )}
          {add}
        </>
      }
    >
      <div className={cn('contents', isOpening && 'invisible')}>
        {guided && (
          <Suspense>
            <FirstRunGuide onCreate={() => setPicking(true)} />
          </Suspense>
        )}
        {isOwn && <AttentionPanel />}
        <CampaignListToolbar
          scope={scope}
          search={search}
          views={<ViewsButton scope={scope} views={views} state={() => stateOf(search, today)} />}
          onSearch={onSearch}
        />
        {rows?.every(isCounted) === false && (
          <output className="text-muted-foreground mb-3 block text-sm">{t('figuresAway')}</output>
        )}
        <DataTable
          caption={t('table')}
          columns={columns}
          rowId={({ id }) => id}
          {...list}
          rows={list.rows === undefined ? undefined : rows}
          onOpen={(row) => {
            if (opens(row)) void navigate({ to: '/campaign/edit/$id', params: { id: row.id }, search: { tab: 'basicInfo' } })
          }}
          selection={
            canWrite
              ? {
                  selected: bulk.selected,
                  onSelect: bulk.select,
                  labelAll: t('bulk.chooseAll'),
                  labelOf: ({ name }) => t('bulk.choose', { name }),
                }
              : null
          }
          nothing={
            <EmptyState image={<BoardImage />} title={t('empty.title')} {...(add === false ? {} : { text: t('empty.text') })}>
              {add}
            </EmptyState>
          }
          testId="campaign-row"
        />
      </div>
      {canWrite && (
        <BulkBar
          bulk={bulk}
          onEdit={() => setEditing(bulk.here.map(({ id }) => id))}
          onSchedule={() => setScheduling(bulk.here.map(({ id }) => id))}
          onLabel={() => labels.open(bulk.here)}
        />
      )}
      {editing !== null && (
        <Suspense>
          <BulkEditDialog
            rows={bulk.known.filter(({ id }) => editing.includes(id))}
            edit={edit}
            onClose={() => setEditing(null)}
            onSaved={(ids) => bulk.select(ids, false)}
          />
        </Suspense>
      )}
      {importing && (
        <Suspense>
          <ImportDialog scope={scope} edit={edit} onClose={() => setImporting(false)} />
        </Suspense>
      )}
      {scheduling !== null && (
        <Suspense>
          <ScheduleDialog
            rows={bulk.known.filter(({ id }) => scheduling.includes(id))}
            onClose={() => setScheduling(null)}
            onDone={(ids) => bulk.select(ids, false)}
          />
        </Suspense>
      )}
      {picking && (
        <Suspense>
          <GoalPickerDialog open audio={audio} onOpenChange={setPicking} />
        </Suspense>
      )}
      {menu.dialog}
      {labels.dialog}
    </Page>
  )
}
