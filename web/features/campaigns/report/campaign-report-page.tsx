import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ChevronRight, Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { toast } from '@/lib/toast'
import { CONVERSION_GOALS } from '../../../../domain/campaign/content/options.ts'
import { campaignReportCsv } from '../../../../api/contract/reports.ts'
import { download } from '@/data/client'
import { DateRangePicker } from '@/components/date-range-picker'
import { SearchImage } from '@/components/empty-images'
import { LoadError } from '@/components/load-error'
import { usePageTitle } from '@/components/page-header'
import { StatusText } from '@/components/status-text'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton } from '@/components/ui/skeleton'
import { saveFile } from '@/lib/save-file'
import { campaignQueries } from '@/data/campaign-queries'
import { isDefaultRange, rangeOf, rangeSearch } from '@/lib/date-range'
import { ReportTable } from './report-table.tsx'
import { isEmpty, reportInputOf, reportQueries } from './report-queries.ts'
import { useToday } from '@/lib/clock'

const route = getRouteApi('/_app/reports')

/** The daily delivery of one campaign (campaign.md §2). */
export function CampaignReportPage() {
  const { t } = useTranslation(['reports', 'common', 'campaigns'])
  const campaign = route.useLoaderData()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const today = useToday()
  const range = rangeOf(search, today)
  const { data, error, refetch } = useQuery(reportQueries.campaign(campaign.id, range))
  // The currency of the paying account, which may differ from the user's: no money is shown before it is known.
  const total = useQuery(campaignQueries.total(campaign.id))
  const empty = data !== undefined && isEmpty(data)
  const failed = [{ data, error }, ...(empty ? [] : [total])].find((query) => query.data === undefined && query.error !== null)
  usePageTitle(t('title', { name: campaign.name }))
  const exporting = useMutation({
    mutationFn: async () =>
      saveFile(await download(campaignReportCsv, { body: reportInputOf(campaign.id, range) }), 'campaign-report.csv'),
    onSuccess: () => toast.success(t('campaigns:export.done')),
  })
  return (
    <div className="page-padding flex flex-col gap-4">
      <header className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2">
        <nav aria-label={t('common:breadcrumb')} className="min-w-0">
          <ol className="flex flex-wrap items-center gap-1.5">
            <li className="shrink-0">
              <Link to="/campaigns" className="text-muted-foreground hover:text-foreground rounded-[3px] py-1">
                {t('common:nav.campaigns')}
              </Link>
            </li>
            <Separator />
            <li className="min-w-0">
              <Link
                to="/campaign/edit/$id"
                params={{ id: campaign.id }}
                search={{ tab: 'basicInfo' }}
                className="text-muted-foreground hover:text-foreground block rounded-[3px] py-1 [overflow-wrap:anywhere]"
              >
                {campaign.name}
              </Link>
            </li>
            <Separator />
            <li>
              <h1 aria-current="page" className="font-semibold">
                {t('report')}
              </h1>
            </li>
          </ol>
        </nav>
        <StatusText statusKey={campaign.status_key} className="text-[0.8125rem]/4.5 shrink-0" />
        <div className="ml-auto flex flex-wrap gap-2">
          <Button variant="outline" disabled={exporting.isPending} onClick={() => exporting.mutate()}>
            <Download aria-hidden />
            {t('campaigns:export.label')}
          </Button>
          <DateRangePicker
            value={range}
            onChange={(next) => void navigate({ search: (previous) => ({ ...previous, ...rangeSearch(next, today) }) })}
          />
        </div>
      </header>
      {empty ? (
        <EmptyState image={<SearchImage />} title={t(isDefaultRange(range, today) ? 'empty' : 'emptyFiltered')} />
      ) : failed?.error ? (
        <LoadError title={t('error')} error={failed.error} onRetry={() => void Promise.all([refetch(), total.refetch()])} />
      ) : data === undefined || total.data === undefined ? (
        <Skeleton className="h-72 w-full" />
      ) : (
        <ReportTable
          report={data}
          currency={total.data.currency}
          converts={campaign.bidding_strategy.goal !== null && CONVERSION_GOALS.includes(campaign.bidding_strategy.goal)}
        />
      )}
    </div>
  )
}

const Separator = () => (
  <li aria-hidden>
    <ChevronRight className="text-muted-foreground size-4" />
  </li>
)
