import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useShortcuts } from '@/app/shortcuts/shortcuts'
import { Pagination } from '@/components/data-table/pagination'
import { DoneImage } from '@/components/empty-images'
import { ModerationTabs } from '@/components/moderation-tabs'
import { Page } from '@/components/page/page'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { QUEUE_PAGE_SIZE } from '@/data/moderation-queries'
import { useFollowingFocus } from '@/lib/use-following-focus'
import { QueueFilters } from './queue-filters.tsx'
import { QueueList } from './queue-list.tsx'
import type { OnQueueSearch, QueueSearch } from './queue-search.ts'
import { QueueSteps } from './queue-steps.tsx'
import { SubmissionPane } from './submission-pane.tsx'
import { useQueue } from './use-queue.ts'
import { useNow } from '@/lib/clock'
import '@/i18n/texts/form'
import '@/i18n/texts/moderation'

type ModerationQueuePageProps = { readonly search: QueueSearch; readonly onSearch: OnQueueSearch }

/** The moderation queue on the left, the selected submission on the right. */
export function ModerationQueuePage({ search, onSearch }: ModerationQueuePageProps) {
  const { t } = useTranslation('moderation')
  const navigate = useNavigate()
  const now = useNow(30_000)
  const { target, follow } = useFollowingFocus()
  const queue = useQueue(search, onSearch, follow)
  const { rows, selected, decisions } = queue

  useShortcuts([{ id: 'moderation.undo', label: t('undoLast'), keys: ['z'], when: decisions.canUndo, run: decisions.undoLast }])

  const nothing = selected === undefined && rows?.length === 0
  return (
    <Page
      layout="full"
      title={t('title')}
      description={rows === undefined ? undefined : t('total', { count: queue.total })}
      actions={
        <>
          <Button asChild variant="ghost" size="sm">
            <Link to="/moderation/statistics">{t('statistics.link')}</Link>
          </Button>
          {!nothing && <QueueSteps onPrevious={queue.showPrevious} onNext={queue.showNext} />}
        </>
      }
      tabs={
        <div className="flex flex-wrap items-center">
          <ModerationTabs
            shown="campaigns"
            campaigns={rows === undefined || search.filter !== 'all' ? undefined : queue.total}
            registrants={queue.registrants}
            className="px-4 py-3 lg:px-8"
          />
          <QueueFilters shown={search.filter} />
        </div>
      }
      failed={queue.error === null ? null : { title: t('errorTitle'), error: queue.error, onRetry: queue.refetch }}
    >
      {nothing ? (
        <div ref={target} tabIndex={-1} className="border-border border-t outline-none">
          {search.page === 0 ? (
            <EmptyState
              image={<DoneImage />}
              title={t(search.filter === 'all' ? 'emptyTitle' : 'filter.emptyTitle')}
              text={t(search.filter === 'all' ? 'emptyText' : 'filter.emptyText')}
            />
          ) : (
            <EmptyState image={<DoneImage />} title={t('pageEmptyTitle')}>
              <Button variant="outline" onClick={() => queue.turnTo(0)}>
                {t('firstPage')}
              </Button>
            </EmptyState>
          )}
        </div>
      ) : (
        <div className="border-border min-h-0 grow border-t lg:grid lg:grid-cols-[290px_minmax(0,1fr)] xl:grid-cols-[340px_minmax(0,1fr)]">
          <div className="border-border flex min-h-0 flex-col max-lg:border-b lg:border-r">
            <div data-slot="queue" className="min-h-0 grow overflow-y-auto max-lg:max-h-44">
              <QueueList rows={rows} selected={selected} search={search} now={now} />
            </div>
            {queue.stored > QUEUE_PAGE_SIZE && (
              <div className="border-border border-t">
                <Pagination
                  page={search.page}
                  rows={QUEUE_PAGE_SIZE}
                  total={queue.stored}
                  rowChoices={[QUEUE_PAGE_SIZE]}
                  backDisabled={search.page === 0}
                  nextDisabled={(search.page + 1) * QUEUE_PAGE_SIZE >= queue.stored}
                  onPage={queue.turnTo}
                  onRows={() => undefined}
                />
              </div>
            )}
          </div>
          <div className="bg-card min-h-0 lg:overflow-y-auto" key={selected}>
            {selected !== undefined && (
              <SubmissionPane
                id={selected}
                row={queue.row}
                now={now}
                headingRef={target}
                onOpenForm={() =>
                  void navigate({ to: '/campaign/edit/$id', params: { id: selected }, search: { tab: 'basicInfo' } })
                }
                actions={{
                  decide: (submission, verdict) => {
                    decisions.decide(submission, verdict)
                    queue.showRemaining()
                  },
                  skip: queue.skip,
                  refusalOf: decisions.refusalOf,
                  draftOf: decisions.draftOf,
                  forget: decisions.forget,
                }}
              />
            )}
          </div>
        </div>
      )}
    </Page>
  )
}
