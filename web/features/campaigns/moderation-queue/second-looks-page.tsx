import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { OpenSecondLook } from '#contract/second-looks'
import { useShortcuts } from '@/app/shortcuts/shortcuts'
import { Pagination } from '@/components/data-table/pagination'
import { DoneImage } from '@/components/empty-images'
import { ModerationTabs } from '@/components/moderation-tabs'
import { Page } from '@/components/page/page'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton } from '@/components/ui/skeleton'
import { moderationQueries, QUEUE_PAGE_SIZE } from '@/data/moderation-queries'
import { useDelayedDecisions } from '@/features/campaigns/moderation/use-delayed-decisions'
import type { Submission } from '@/features/campaigns/moderation/use-decision'
import { formatDistance } from '@/i18n/format'
import { useNow } from '@/lib/clock'
import { useFollowingFocus } from '@/lib/use-following-focus'
import { cn } from '@/lib/utils'
import { QueueFilters } from './queue-filters.tsx'
import type { OnQueueSearch, QueueSearch } from './queue-search.ts'
import { SecondLookPane } from './second-look-pane.tsx'
import '@/i18n/texts/form'
import '@/i18n/texts/moderation'

const submissionOf = ({ campaign_id, campaign_name, approval }: OpenSecondLook): Submission => ({
  id: campaign_id,
  name: campaign_name,
  moderation_start_at: null,
  approval,
})

type SecondLooksPageProps = { readonly search: QueueSearch; readonly onSearch: OnQueueSearch }

/** Approvals of other moderators that wait for a second look (fine print 104): the list on the left, one of them on the right. */
export function SecondLooksPage({ search: { page, id }, onSearch }: SecondLooksPageProps) {
  const { t } = useTranslation('moderation')
  const navigate = useNavigate()
  const now = useNow(30_000)
  const { target, follow } = useFollowingFocus()
  const { data, error, refetch } = useQuery(moderationQueries.secondLooks(page))
  const { data: queue } = useQuery(moderationQueries.queue(0))
  const show = (next: string | undefined) => {
    follow()
    onSearch({ tab: 'second', page, ...(next === undefined ? {} : { id: next }) })
  }
  const decisions = useDelayedDecisions(({ id: campaign, approval }) =>
    approval === undefined ? onSearch({ page: 0, id: campaign }) : show(campaign),
  )
  const { flush } = decisions
  useEffect(() => () => void flush(), [flush])
  useShortcuts([{ id: 'moderation.undo', label: t('undoLast'), keys: ['z'], when: decisions.canUndo, run: decisions.undoLast }])

  const rows = data?.data.filter((row) => !decisions.isDecided(submissionOf(row)))
  const place = Math.max(
    0,
    (rows ?? []).findIndex(({ campaign_id }) => campaign_id === id),
  )
  const row = rows?.[place]
  const next = rows?.[place + 1]?.campaign_id ?? (place > 0 ? rows?.[0]?.campaign_id : undefined)
  const total = Math.max(0, (data?.total_size ?? 0) - ((data?.data.length ?? 0) - (rows?.length ?? 0)))
  return (
    <Page
      layout="full"
      title={t('title')}
      description={rows === undefined ? undefined : t('total', { count: total })}
      actions={
        <Button asChild variant="ghost" size="sm">
          <Link to="/moderation/statistics">{t('statistics.link')}</Link>
        </Button>
      }
      tabs={
        <div className="flex flex-wrap items-center">
          <ModerationTabs
            shown="campaigns"
            campaigns={queue?.total_size}
            registrants={queue?.registrants.total_size}
            className="px-4 py-3 lg:px-8"
          />
          <QueueFilters shown="second" />
        </div>
      }
      failed={data === undefined && error !== null ? { title: t('errorTitle'), error, onRetry: () => void refetch() } : null}
    >
      {rows?.length === 0 ? (
        <div ref={target} tabIndex={-1} className="border-border border-t outline-none">
          <EmptyState image={<DoneImage />} title={t('second.emptyTitle')} text={t('second.emptyText')} />
        </div>
      ) : (
        <div className="border-border min-h-0 grow border-t lg:grid lg:grid-cols-[290px_minmax(0,1fr)] xl:grid-cols-[340px_minmax(0,1fr)]">
          <div className="border-border flex min-h-0 flex-col max-lg:border-b lg:border-r">
            <div className="min-h-0 grow overflow-y-auto max-lg:max-h-44">
              {rows === undefined ? (
                <Skeleton className="m-4 h-16" />
              ) : (
                <ul aria-label={t('second.list')}>
                  {rows.map((one) => (
                    <li key={`${one.campaign_id} ${one.approval}`} className="border-border border-b last:border-0">
                      <SecondLookLink look={one} page={page} selected={one === row} now={now} />
                    </li>
                  ))}
                </ul>
              )}
            </div>
            {(data?.total_size ?? 0) > QUEUE_PAGE_SIZE && (
              <div className="border-border border-t">
                <Pagination
                  page={page}
                  rows={QUEUE_PAGE_SIZE}
                  total={data?.total_size ?? 0}
                  rowChoices={[QUEUE_PAGE_SIZE]}
                  backDisabled={page === 0}
                  nextDisabled={(page + 1) * QUEUE_PAGE_SIZE >= (data?.total_size ?? 0)}
                  onPage={(other) => onSearch({ tab: 'second', page: other })}
                  onRows={() => undefined}
                />
              </div>
            )}
          </div>
          <div className="bg-card min-h-0 lg:overflow-y-auto">
            {row !== undefined && (
              <SecondLookPane
                key={`${row.campaign_id} ${row.approval}`}
                look={row}
                submission={submissionOf(row)}
                now={now}
                headingRef={target}
                onOpenForm={() =>
                  void navigate({ to: '/campaign/edit/$id', params: { id: row.campaign_id }, search: { tab: 'basicInfo' } })
                }
                onReload={() => void refetch()}
                actions={{
                  decide: (submission, verdict) => {
                    decisions.decide(submission, verdict)
                    show(next)
                  },
                  skip: next === undefined ? null : () => show(next),
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

type SecondLookLinkProps = {
  readonly look: OpenSecondLook
  readonly page: number
  readonly selected: boolean
  readonly now: number
}

function SecondLookLink({ look, page, selected, now }: SecondLookLinkProps) {
  const { t } = useTranslation('moderation')
  return (
    <Link
      to="/moderation"
      search={{ tab: 'second', page, id: look.campaign_id }}
      resetScroll={false}
      aria-current={selected ? 'true' : undefined}
      className={cn(
        'relative flex flex-col gap-1 px-4 py-3 transition-colors outline-offset-[-2px]',
        selected
          ? 'bg-primary-tint before:bg-primary-ink before:absolute before:inset-y-0 before:left-0 before:w-[3px]'
          : 'hover:bg-muted',
      )}
    >
      <span className="text-[0.8125rem]/4.5 font-medium [overflow-wrap:anywhere]">{look.campaign_name}</span>
      <span className="text-muted-foreground text-xs">{`${look.space_name} · ${formatDistance(look.approved_at, now)}`}</span>
      <span className="text-muted-foreground text-xs">{t('second.approvedBy', { name: look.approver.name })}</span>
    </Link>
  )
}
