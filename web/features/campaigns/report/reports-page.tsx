import { getRouteApi } from '@tanstack/react-router'
import { AccountReportPage } from './account-report-page.tsx'
import { CampaignReportPage } from './campaign-report-page.tsx'
import '@/i18n/texts/reports'

const route = getRouteApi('/_app/reports')

/** `/reports`: of one campaign with `campaignId`, else of the account. */
export function ReportsPage() {
  const campaign = route.useLoaderData()
  return campaign === null ? <AccountReportPage /> : <CampaignReportPage campaign={campaign} />
}
