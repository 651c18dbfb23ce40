import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { GroupedReport } from '../../../../api/contract/reports.ts'
import { accountReport } from '../../../../api/contract/reports.ts'
import { CsvButton } from '@/components/data-table/csv-button'
import { DataTable } from '@/components/data-table/data-table'
import type { DataColumn } from '@/components/data-table/table-view'
import { DateRangePicker } from '@/components/date-range-picker'
import { SearchImage } from '@/components/empty-images'
import { Money } from '@/components/money'
import { Page } from '@/components/page/page'
import { EmptyState } from '@/components/ui/empty-state'
import { NativeSelect } from '@/components/ui/native-select'
import { Skeleton } from '@/components/ui/skeleton'
import { download } from '@/data/client'
import { formatMinute } from '@/i18n/format'
import { useLanguage } from '@/i18n/use-language'
import { useToday } from '@/lib/clock'
import { isDefaultRange, rangeOf, rangeSearch, type DateRange } from '@/lib/date-range'
import { accountReportQueries } from './account-report-queries.ts'
import { PeriodCards } from './period-cards.tsx'
import { formatMetric, isMoney } from './report-metrics.ts'
import { REPORT_GROUPINGS, REPORT_METRICS, type Metric, type ReportGrouping } from './report-names.ts'
import { daysOf, isEmpty, type ReportDay } from './report-queries.ts'

const ReportChart = lazy(async () => ({ default: (await import('./report-chart.tsx')).ReportChart }))

const route = getRouteApi('/_app/reports')

/** Days. */
const LONG_PERIOD = 92

type Row = GroupedReport['rows'][number]

/** Figures of the account, or of all accounts for staff: periods, a chart by day, and a table by a grouping (campaign.md §2). */
export function AccountReportPage() {
  const { t } = useTranslation(['reports', 'common'])
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const today = useToday()
  const tableId = useId()
  const range = rangeOf(search, today)
  const grouping = search.by ?? 'country'
  const report = useQuery(accountReportQueries.days(range))
  const groups = useQuery(accountReportQueries.groups(range, grouping))
  const failed = [report, groups].find(({ data, error }) => data === undefined && error !== null)
  const days = useMemo(() => (report.data === undefined ? [] : sinceFirst(daysOf(report.data))), [report.data])
  const empty = report.data !== undefined && isEmpty(report.data)
  const { currency = null } = report.data ?? {}
  const metrics = REPORT_METRICS.filter((metric) => currency !== null || !isMoney(metric))
  const columns = useGroupColumns(grouping, metrics, groups.data, currency ?? '')
  const show = (next: DateRange) => void navigate({ search: (previous) => ({ ...previous, ...rangeSearch(next, today) }) })
  const chartPlaceholder = <Skeleton className="h-80 w-full rounded-lg" />
  return (
    <Page
      title={t('account.title')}
      description={
        report.data && (
          <span className="text-muted-foreground text-xs">{t('account.updated', { time: formatMinute(report.data.as_of) })}</span>
        )
      }
      actions={
        <>
          <CsvButton
            file="campaigns.csv"
            load={() => download(accountReport, { body: { from_date: range.start, to_date: range.end } })}
          />
          <DateRangePicker value={range} onChange={show} />
        </>
      }
      failed={
        failed?.error
          ? { title: t('error'), error: failed.error, onRetry: () => void Promise.all([report.refetch(), groups.refetch()]) }
          : null
      }
    >
      <PeriodCards today={today} range={range} onRange={show} />
      {report.data !== undefined && currency === null && !empty && (
        <p className="text-muted-foreground text-[0.8125rem]/4.5">{t('account.mixed')}</p>
      )}
      {report.data === undefined && chartPlaceholder}
      {report.data !== undefined && !empty && (
        <Suspense fallback={chartPlaceholder}>
          <ReportChart
            days={days}
            metrics={metrics}
            metric={metrics.find((known) => known === search.metric) ?? 'impressions'}
            currency={currency ?? ''}
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
      <label className="flex items-center gap-2 text-[0.8125rem]/4.5">
        {t('account.by')}
        <NativeSelect
          value={grouping}
          className="w-56"
          onChange={({ target }) => {
            const by = REPORT_GROUPINGS.find((known) => known === target.value)
            void navigate({
              search: (previous) => ({ ...previous, by: by === 'country' ? undefined : by }),
              replace: true,
              resetScroll: false,
            })
          }}
        >
          {REPORT_GROUPINGS.map((name) => (
            <option key={name} value={name}>
              {t(`grouping.${name}`)}
            </option>
          ))}
        </NativeSelect>
      </label>
      <DataTable
        id={tableId}
        caption={t('account.table', { grouping: t(`grouping.${grouping}`) })}
        columns={columns}
        rowId={({ key }) => key}
        rows={groups.data?.rows}
        busy={groups.isPlaceholderData}
        nothing={<EmptyState image={<SearchImage />} title={t(isDefaultRange(range, today) ? 'empty' : 'emptyFiltered')} />}
        testId="report-group"
        narrow="scroll"
      />
    </Page>
  )
}

/** A long period without the days before its first figure: all time begins with the account's first delivery. */
function sinceFirst(days: readonly ReportDay[]): readonly ReportDay[] {
  if (days.length <= LONG_PERIOD) return days
  const first = days.findIndex(({ values }) => Object.values(values).some((value) => value !== 0))
  return first === -1 ? days : days.slice(first)
}

function useGroupColumns(
  grouping: ReportGrouping,
  metrics: readonly Metric[],
  report: GroupedReport | undefined,
  currency: string,
): readonly DataColumn<Row>[] {
  const { t } = useTranslation('reports')
  const valueOf = (metric: Metric, value = 0) =>
    isMoney(metric) ? <Money value={value} currency={currency} /> : formatMetric(metric, value, currency)
  const language = useLanguage()
  const nameOf = ({ key, label }: Row): string => {
    if (label === '') return t('account.unnamed')
    if (grouping === 'platforms') return t(`device.${key as '2' | '3' | '5' | '8' | '9'}`, { defaultValue: label })
    if (grouping === 'country') return new Intl.DisplayNames([language], { type: 'region' }).of(key) ?? label
    // 2024 began on a Monday, day 1 of the week.
    if (grouping === 'day_of_week')
      return new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, Number(key)))
    return grouping === 'hour' ? `${key}:00` : label
  }
  return [
    {
      id: 'group',
      header: t(`grouping.${grouping}`),
      rowHeader: true,
      summary: report && t('account.all'),
      cell: nameOf,
      className: '[overflow-wrap:anywhere]',
    },
    ...metrics.map((metric): DataColumn<Row> => ({
      id: metric,
      header: t(`metric.${metric}`),
      numeric: true,
      summary: report && valueOf(metric, report.totals[metric]),
      cell: ({ values }) => valueOf(metric, values[metric]),
    })),
  ]
}
