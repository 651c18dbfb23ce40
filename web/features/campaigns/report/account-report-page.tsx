import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { accountReport } from '../../../../api/contract/reports.ts'
import { CsvButton } from '@/components/data-table/csv-button'
import { Page } from '@/components/page/page'
import { Skeleton } from '@/components/ui/skeleton'
import { download } from '@/data/client'
import { formatMinute } from '@/i18n/format'
import { GroupsTable } from './groups-table.tsx'
import { PeriodCards } from './period-cards.tsx'
import { reportQueries } from './report-queries.ts'
import { ReportToolbar } from './report-toolbar.tsx'
import { useReport } from './use-report.ts'

const ReportBlock = lazy(async () => ({ default: (await import('./report-block.tsx')).ReportBlock }))

/** Figures of the account, or of all accounts for staff: periods, a chart, and a table by a grouping (campaign.md §2). */
export function AccountReportPage() {
  const { t } = useTranslation(['reports', 'common'])
  const report = useReport(null, true)
  const { figures, empty, range, step, today, metrics, search, showRange } = report
  const grouping = search.by ?? 'country'
  const groups = useQuery(reportQueries.groups(null, grouping, report.request))
  const failed = [figures, groups].find(({ data, error }) => data === undefined && error !== null)
  const currency = figures.data?.currency
  const blockPlaceholder = <Skeleton className="h-100 w-full rounded-lg" />
  return (
    <Page
      title={t('account.title')}
      description={
        figures.data && (
          <span className="text-muted-foreground text-xs">{t('account.updated', { time: formatMinute(figures.data.asOf) })}</span>
        )
      }
      actions={
        <CsvButton
          file="campaigns.csv"
          load={() =>
            download(accountReport, {
              body: { from_date: range.start, to_date: range.end, included_metrics: [...metrics] },
            })
          }
        />
      }
      failed={
        failed?.error
          ? { title: t('error'), error: failed.error, onRetry: () => void Promise.all([figures.refetch(), groups.refetch()]) }
          : null
      }
    >
      <PeriodCards today={today} range={range} step={step} onPeriod={showRange} />
      <ReportToolbar report={report} />
      {currency === null && !empty && <p className="text-muted-foreground text-[0.8125rem]/4.5">{t('account.mixed')}</p>}
      {figures.data === undefined && blockPlaceholder}
      {figures.data !== undefined && !empty && (
        <Suspense fallback={blockPlaceholder}>
          <ReportBlock report={report} currency={currency ?? ''} />
        </Suspense>
      )}
      <GroupsTable report={report} grouping={grouping} groups={groups} />
    </Page>
  )
}
