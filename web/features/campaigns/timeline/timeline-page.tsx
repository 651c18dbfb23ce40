import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Eye, GitCompareArrows, Link2, ScrollText } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import { Segmented } from '@/components/form/segmented'
import { Page } from '@/components/page/page'
import { StatusText } from '@/components/status-text'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { campaignQueries } from '@/data/campaign-queries'
import { formatMinute, formatMoney } from '@/i18n/format'
import { lookUp } from '@/i18n/look-up'
import { useNow } from '@/lib/clock'
import { toast } from '@/lib/toast'
import { useDebouncedCallback } from '@/lib/use-debounced-callback'
import { useCan } from '@/session/can'
import { authorName } from '../change-log/log-labels.ts'
import { CampaignAbout, CampaignActions } from '../header/campaign-header.tsx'
import { NO_FILTERS, reportQueries } from '../report/report-queries.ts'
import { useCampaignCurrency } from '../form/use-rule-context.ts'
import { scheduleQueries } from '../schedule/schedule-queries.ts'
import { lineText } from '../schedule/schedule-texts.ts'
import ScheduledSection from '../schedule/scheduled-section.tsx'
import { ShownCampaign } from '../shown-campaign.ts'
import { BlamedState } from './blamed-state.tsx'
import { CursorControls } from './cursor-controls.tsx'
import { EvidenceCard } from './evidence-card.tsx'
import { RevisionCard } from './revision-card.tsx'
import { TimelineChart, type SpentDay } from './timeline-chart.tsx'
import { cursorFrom, DAY, statusAt, timeOf, windowOf, type Cursor, type Planned } from './timeline-model.ts'
import { timelineQueries } from './timeline-queries.ts'
import { PERIODS, type TimelineSearch } from './timeline-search.ts'
import '@/i18n/texts/form'
import '@/i18n/texts/log'
import '@/i18n/texts/owner'
import '@/i18n/texts/timeline'

const CompareDialog = lazy(async () => ({ default: (await import('../change-log/compare-dialog.tsx')).CompareDialog }))
const route = getRouteApi('/_app/campaign/timeline/$id')

/** The address follows the cursor after a pause, milliseconds: browsers limit how often it may change. */
const ADDRESS_DELAY_MS = 150

/** `/campaign/timeline/{id}`: a campaign at any moment, who made it so, and the proof of it. */
export function TimelinePage() {
  const { t } = useTranslation('timeline')
  const loaded = route.useLoaderData()
  const { id } = route.useParams()
  const { data: campaign = loaded } = useQuery(campaignQueries.detail(id))
  const index = useQuery(campaignQueries.logIndex(id))
  const statuses = useQuery(timelineQueries.statuses(id))
  const failed = [index, statuses].find(({ data, error }) => data === undefined && error !== null)
  return (
    <ShownCampaign value={campaign}>
      <Page
        title={t('title')}
        documentTitle={t('documentTitle', { name: campaign.name })}
        breadcrumb={[
          <Link key="campaign" to="/campaign/edit/$id" params={{ id }} search={{ tab: 'basicInfo' }}>
            {campaign.name}
          </Link>,
        ]}
        description={<CampaignAbout campaign={campaign} />}
        actions={
          <>
            {index.data !== undefined && <Actions campaign={id} index={index.data} />}
            <CampaignActions campaign={campaign} page="timeline" />
          </>
        }
        failed={
          failed?.error
            ? {
                title: t('error'),
                error: failed.error,
                onRetry: () => void Promise.all([index.refetch(), statuses.refetch()]),
              }
            : null
        }
      >
        <ScheduledSection campaign={campaign} always />
        {index.data === undefined || statuses.data === undefined ? (
          <Skeleton className="h-80 w-full rounded-lg" />
        ) : (
          <Timeline campaign={campaign} index={index.data} history={statuses.data} />
        )}
      </Page>
    </ShownCampaign>
  )
}

type Index = Parameters<typeof cursorFrom>[0]
type History = Parameters<typeof statusAt>[0]

/** The cursor of the address, and of the keys and the pointer until the address has followed. */
function useCursor(index: Index, now: number) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [held, setHeld] = useState<{ readonly cursor: Cursor; readonly search: TimelineSearch } | null>(null)
  const settled = cursorFrom(index, search, now)
  const write = useDebouncedCallback((cursor: Cursor) => {
    const line = index.find(({ revision }) => revision === cursor.revision)
    const exact = line !== undefined && timeOf(line) === cursor.time
    void navigate({
      search: (before) => ({
        ...before,
        revision: exact ? cursor.revision : undefined,
        at: exact || cursor.time >= now ? undefined : new Date(cursor.time).toISOString(),
      }),
      replace: true,
      resetScroll: false,
    })
  }, ADDRESS_DELAY_MS)
  return {
    cursor: held !== null && held.search === search ? held.cursor : settled,
    settled,
    move: (cursor: Cursor) => {
      setHeld({ cursor, search })
      write(cursor)
    },
  }
}

/** Scheduled changes of a campaign. */
function usePlanned(campaign: Campaign): readonly Planned[] {
  const { data } = useQuery(scheduleQueries.waiting(campaign.id))
  const currency = useCampaignCurrency(campaign)
  return (data?.data ?? []).map((change) => ({
    time: Date.parse(change.due_at),
    text: lineText(change, { ...campaign, currency: currency ?? '' }),
  }))
}

type TimelineProps = { readonly campaign: Campaign; readonly index: Index; readonly history: History }

function Timeline({ campaign, index, history }: TimelineProps) {
  const { t } = useTranslation(['timeline', 'status'])
  const { days } = route.useSearch()
  const navigate = route.useNavigate()
  const now = useNow(60_000)
  const { cursor, settled, move } = useCursor(index, now)
  const verifies = useCan()('log.verify', campaign)
  const first = index.at(-1)
  const life = { start: first === undefined ? now - DAY : Math.min(timeOf(first), now - 60_000), end: now }
  const window = windowOf(life, days ?? null, cursor.time)
  const { spent, currency } = useSpent(campaign.id, life.start, life.end)
  const planned = usePlanned(campaign)
  const status = statusAt(history, cursor)
  const line = index.find(({ revision }) => revision === cursor.revision)
  const offered = PERIODS.filter((length) => life.end - life.start > length * DAY)
  const today = spent.find(({ at }) => at <= cursor.time && cursor.time < at + DAY)
  return (
    <>
      <section aria-label={t('timeline:title')} className="border-border bg-card flex flex-col gap-3 rounded-lg border p-5">
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <CursorControls index={index} now={now} cursor={cursor} onMove={move} />
          {offered.length > 0 && (
            <Segmented
              label={t('timeline:periods.label')}
              quiet
              segments={[
                ...offered.map((value) => ({ value: value as number, label: t(`timeline:periods.${value}`) })),
                { value: 0, label: t('timeline:periods.all') },
              ]}
              value={days ?? 0}
              onChange={(value) =>
                void navigate({
                  search: (before) => ({ ...before, days: value === 0 ? undefined : value }),
                  replace: true,
                  resetScroll: false,
                })
              }
              className="ml-auto"
            />
          )}
        </div>
        <div className="flex min-h-6 flex-wrap items-baseline gap-x-4 gap-y-1 text-[0.8125rem]/5">
          {status !== undefined && <StatusText statusKey={status.status_key} />}
          {status !== undefined && (
            <span>{status.reasons.flatMap((key) => lookUp(`status:reason.${key}`) ?? []).join('. ')}</span>
          )}
          {line !== undefined && (
            <span className="text-muted-foreground tabular-nums">
              {t('timeline:readout.revision', {
                revision: line.revision,
                date: formatMinute(line.commit_date),
                author: authorName(line),
              })}
            </span>
          )}
          {today !== undefined && currency !== null && (
            <span className="text-muted-foreground tabular-nums">
              {t('timeline:readout.spent', { amount: formatMoney(today.spent, currency) })}
            </span>
          )}
        </div>
        <TimelineChart
          index={index}
          history={history}
          spent={spent}
          currency={currency}
          planned={planned}
          window={window}
          now={now}
          cursor={cursor}
          onMove={move}
        />
      </section>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_minmax(0,400px)]">
        <div className="flex flex-col gap-4 xl:order-last">
          <RevisionCard key={settled.revision} campaign={campaign} revision={settled.revision} index={index} />
          {verifies && <EvidenceCard campaign={campaign} revision={settled.revision} />}
        </div>
        <BlamedState campaign={campaign.id} revision={settled.revision} index={index} onMove={move} />
      </div>
    </>
  )
}

/** Spend by UTC day over the life of the campaign. */
function useSpent(
  id: string,
  start: number,
  end: number,
): { readonly spent: readonly SpentDay[]; readonly currency: string | null } {
  const range = { start: utcDay(start), end: utcDay(end) }
  const figures = useQuery(
    reportQueries.figures(id, { range, step: 'days', metrics: ['spent'], filters: NO_FILTERS, zone: 0 }),
  ).data
  const total = useQuery(campaignQueries.total(id)).data
  const spent = useMemo(() => figures?.points.map(({ at, values }) => ({ at, spent: values.spent ?? 0 })) ?? [], [figures])
  return { spent, currency: total?.currency ?? null }
}

const utcDay = (time: number): string => new Date(time).toISOString().slice(0, 'YYYY-MM-DD'.length)

/** Copies a link to the moment, compares it with the newest state, and leads to the change log. */
function Actions({ campaign, index }: { readonly campaign: string; readonly index: Index }) {
  const { t } = useTranslation('timeline')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const now = useNow(60_000)
  const { revision, time } = cursorFrom(index, search, now)
  const newest = index[0]?.revision ?? 1
  const compare = (pair: { readonly from: number; readonly to: number } | null) =>
    void navigate({
      search: (before) => ({ ...before, from: pair?.from, to: pair?.to }),
      resetScroll: false,
    })
  const copy = async () => {
    const link = new URL(window.location.href)
    // Also for now, which is another moment tomorrow.
    if (search.revision === undefined && search.at === undefined) link.searchParams.set('at', new Date(time).toISOString())
    try {
      await navigator.clipboard.writeText(link.href)
      toast.success(t('linkCopied'))
    } catch {
      toast.error(t('copyFailed'))
    }
  }
  return (
    <>
      <Button asChild variant="ghost">
        <Link to="/campaign/edit/$id" params={{ id: campaign }} search={{ tab: 'changeLog' }}>
          <ScrollText aria-hidden />
          {t('changeLog')}
        </Link>
      </Button>
      <Button asChild variant="outline">
        <Link
          to="/campaign/edit/$id"
          params={{ id: campaign }}
          search={{ tab: 'basicInfo', as_of: new Date(time).toISOString() }}
        >
          <Eye aria-hidden />
          {t('openThen')}
        </Link>
      </Button>
      <Button
        variant="outline"
        disabled={index.length < 2}
        onClick={() => compare({ from: revision === newest ? newest - 1 : revision, to: newest })}
      >
        <GitCompareArrows aria-hidden />
        {t('compare')}
      </Button>
      <Button variant="outline" onClick={() => void copy()}>
        <Link2 aria-hidden />
        {t('copyLink')}
      </Button>
      {search.from !== undefined && search.to !== undefined && (
        <Suspense>
          <CompareDialog
            campaign={campaign}
            from={search.from}
            to={search.to}
            index={index}
            onChange={compare}
            onClose={() => compare(null)}
          />
        </Suspense>
      )}
    </>
  )
}
