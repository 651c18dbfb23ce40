import { createFileRoute, redirect } from '@tanstack/react-router'
import { t } from 'i18next'
import { toast } from '../lib/toast.ts'
import { campaignQueries } from '../features/campaigns/campaign-queries.ts'
import { CampaignReportPage } from '../features/reports/campaign-report-page.tsx'
import { reportSearch } from '../features/reports/report-search.ts'

export const Route = createFileRoute('/_app/reports')({
  validateSearch: reportSearch,
  loaderDeps: ({ search: { campaignId } }) => ({ campaignId }),
  loader: async ({ context, deps: { campaignId }, preload }) => {
    try {
      return await context.queryClient.ensureQueryData(campaignQueries.detail(campaignId))
    } catch {
      // Nothing to report on: no campaign, or none of the reader's.
      if (!preload) toast.error(t('campaigns:loadFailed'))
      throw redirect({ to: '/campaigns', replace: true })
    }
  },
  component: CampaignReportPage,
})
