import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '@/components/page/page'
import { Skeleton } from '@/components/ui/skeleton'
import { formatMinute } from '@/i18n/format'
import { PeriodCards } from './period-cards.tsx'
import { ReportTable, useReportTable } from './report-table.tsx'
import { ReportToolbar } from './report-toolbar.tsx'
import { SavedReportsButton } from './saved-reports-button.tsx'
import { useReport } from './use-report.ts'

const ReportBlock = lazy(async () => ({ default: (await import('./report-block.tsx')).ReportBlock }))

/** Figures of the account, or of all accounts for staff: periods, a chart, and a table by a grouping (campaigns.md §2). */
export function AccountReportPage() {
  const { t } = useTranslation(['reports', 'common'])
  const report = useReport(null)
  const { figures, empty, range, step, today, zone, showRange } = report
  const shown = useReportTable(report)
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
      actions={<SavedReportsButton report={report} asked={shown.asked} />}
      failed={
        figures.data === undefined && figures.error !== null
          ? { title: t('error'), error: figures.error, onRetry: () => void figures.refetch() }
          : null
      }
    >
      <PeriodCards today={today} zone={zone} range={range} step={step} onPeriod={showRange} />
      <ReportToolbar report={report} />
      {currency === null && !empty && <p className="text-muted-foreground text-[0.8125rem]/4.5">{t('account.mixed')}</p>}
      {figures.data === undefined && blockPlaceholder}
      {figures.data !== undefined && !empty && (
        <Suspense fallback={blockPlaceholder}>
          <ReportBlock report={report} currency={currency ?? ''} />
        </Suspense>
      )}
      <ReportTable report={report} {...shown} />
    </Page>
  )
}
