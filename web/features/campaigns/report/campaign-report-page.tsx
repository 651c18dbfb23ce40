import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import { trafficSourceCsv } from '#contract/reports'
import { CsvButton } from '@/components/data-table/csv-button'
import { Page } from '@/components/page/page'
import { Skeleton } from '@/components/ui/skeleton'
import { campaignQueries } from '@/data/campaign-queries'
import { download } from '@/data/client'
import { DeliveryPanel } from '../delivery/delivery-panel.tsx'
import { CampaignAbout, CampaignActions } from '../header/campaign-header.tsx'
import { OverDelivery } from './over-delivery.tsx'
import { reportBody } from './report-queries.ts'
import { ReportTable, useReportTable } from './report-table.tsx'
import { ReportToolbar } from './report-toolbar.tsx'
import { SavedReportsButton } from './saved-reports-button.tsx'
import { useReport } from './use-report.ts'

const ReportBlock = lazy(async () => ({ default: (await import('./report-block.tsx')).ReportBlock }))

/** The delivery of one campaign (campaigns.md §2): a chart, and a table of each hour or day. */
export function CampaignReportPage({ campaign }: { readonly campaign: Campaign }) {
  const { t } = useTranslation(['reports', 'common'])
  const report = useReport(campaign.id)
  const { figures, empty, request } = report
  const shown = useReportTable(report)
  // The currency of the paying account, which may differ from the user's: no money is shown before it is known.
  const total = useQuery(campaignQueries.total(campaign.id))
  const failed = [figures, ...(empty ? [] : [total])].find(({ data, error }) => data === undefined && error !== null)
  const currency = total.data?.currency
  const blockPlaceholder = <Skeleton className="h-100 w-full rounded-lg" />
  const body = () => ({ ...reportBody(request), id: campaign.id })
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
      description={<CampaignAbout campaign={campaign} />}
      actions={
        <>
          <SavedReportsButton report={report} asked={shown.asked} />
          {/* A file holds one device kind or all of them. */}
          {request.filters.devices.length < 2 && (
            <CsvButton
              label={t('csvSources')}
              file="traffic-source.csv"
              load={() => download(trafficSourceCsv, { body: body() })}
            />
          )}
          <CampaignActions campaign={campaign} page="report" />
        </>
      }
      failed={
        failed?.error
          ? {
              title: t('error'),
              error: failed.error,
              onRetry: () => void Promise.all([figures.refetch(), total.refetch()]),
            }
          : null
      }
    >
      <DeliveryPanel campaign={campaign} />
      <OverDelivery id={campaign.id} />
      <ReportToolbar report={report} />
      {!empty && (figures.data === undefined || currency === undefined) && blockPlaceholder}
      {!empty && figures.data !== undefined && currency !== undefined && (
        <Suspense fallback={blockPlaceholder}>
          <ReportBlock report={report} currency={currency} />
        </Suspense>
      )}
      <ReportTable report={report} {...shown} />
    </Page>
  )
}
