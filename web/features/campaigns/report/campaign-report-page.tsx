import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense, useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { CONVERSION_GOALS } from '../../../../domain/campaign/content/options.ts'
import type { Campaign } from '../../../../api/contract/campaign-body.ts'
import { campaignReportCsv } from '../../../../api/contract/reports.ts'
import { CsvButton } from '@/components/data-table/csv-button'
import { DataTable } from '@/components/data-table/data-table'
import { DateRangePicker } from '@/components/date-range-picker'
import { SearchImage } from '@/components/empty-images'
import { Page } from '@/components/page/page'
import { StatusText } from '@/components/status-text'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton } from '@/components/ui/skeleton'
import { campaignQueries } from '@/data/campaign-queries'
import { download } from '@/data/client'
import { useToday } from '@/lib/clock'
import { isDefaultRange, rangeOf, rangeSearch } from '@/lib/date-range'
import { DeliveryPanel } from '../delivery/delivery-panel.tsx'
import { useReportColumns } from './report-columns.tsx'
import { metricsOf } from './report-metrics.ts'
import { daysOf, isEmpty, reportInputOf, reportQueries } from './report-queries.ts'

const ReportChart = lazy(async () => ({ default: (await import('./report-chart.tsx')).ReportChart }))

const route = getRouteApi('/_app/reports')

/** The daily delivery of one campaign (campaign.md §2): a chart of one metric, and a table of all. */
export function CampaignReportPage({ campaign }: { readonly campaign: Campaign }) {
  const { t } = useTranslation(['reports', 'common'])
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const today = useToday()
  const tableId = useId()
  const range = rangeOf(search, today)
  const report = useQuery(reportQueries.campaign(campaign.id, range))
  // The currency of the paying account, which may differ from the user's: no money is shown before it is known.
  const total = useQuery(campaignQueries.total(campaign.id))
  const empty = report.data !== undefined && isEmpty(report.data)
  const failed = [report, ...(empty ? [] : [total])].find(({ data, error }) => data === undefined && error !== null)
  const currency = total.data?.currency
  const days = useMemo(() => (report.data === undefined ? [] : daysOf(report.data)), [report.data])
  const newestFirst = useMemo(() => days.toReversed(), [days])
  const loaded = report.data !== undefined && currency !== undefined
  const { goal } = campaign.bidding_strategy
  const metrics = metricsOf(goal !== null && CONVERSION_GOALS.includes(goal))
  const columns = useReportColumns(metrics, loaded ? report.data.totals : undefined, currency ?? '')
  const chartPlaceholder = <Skeleton className="h-80 w-full rounded-lg" />
  return (
    <Page
      title={t('report')}
      documentTitle={t('title', { name: campaign.name })}
      breadcrumb={[
        <Link key="list" to="/campaigns">
          {t('common:nav.campaigns')}
        </Link>,
        <Link key="campaign" to="/campaign/edit/$id" params={{ id: campaign.id }} search={{ tab: 'basicInfo' }}>
          {campaign.name}
        </Link>,
      ]}
      description={<StatusText statusKey={campaign.status_key} className="text-[0.8125rem]/4.5" />}
      actions={
        <>
          <CsvButton
            file="campaign-report.csv"
            load={() => download(campaignReportCsv, { body: reportInputOf(campaign.id, range) })}
          />
          <DateRangePicker
            value={range}
            onChange={(next) => void navigate({ search: (previous) => ({ ...previous, ...rangeSearch(next, today) }) })}
          />
        </>
      }
      failed={
        failed?.error
          ? {
              title: t('error'),
              error: failed.error,
              onRetry: () => void Promise.all([report.refetch(), total.refetch()]),
            }
          : null
      }
    >
      <DeliveryPanel campaign={campaign} />
      {!empty && !loaded && chartPlaceholder}
      {!empty && loaded && (
        <Suspense fallback={chartPlaceholder}>
          <ReportChart
            days={days}
            metrics={metrics}
            metric={metrics.find((known) => known === search.metric) ?? 'impressions'}
            currency={currency}
            tableId={tableId}
            onMetric={(metric) =>
              void navigate({
                search: (previous) => ({ ...previous, metric: metric === 'impressions' ? undefined : metric }),
                replace: true,
                resetScroll: false,
              })
            }
          />
        </Suspense>
      )}
      <DataTable
        id={tableId}
        caption={t('table')}
        columns={columns}
        rowId={({ day }) => day}
        rows={empty ? [] : loaded ? newestFirst : undefined}
        busy={report.isPlaceholderData}
        nothing={<EmptyState image={<SearchImage />} title={t(isDefaultRange(range, today) ? 'empty' : 'emptyFiltered')} />}
        testId="report-day"
        narrow="scroll"
      />
    </Page>
  )
}
