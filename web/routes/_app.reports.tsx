import { createFileRoute, redirect } from '@tanstack/react-router'
import { toast } from '@/lib/toast'
import { campaignQueries } from '@/data/campaign-queries'
import { missingOrFailed } from '@/features/campaigns/load-failure'
import { CampaignReportPage } from '@/features/campaigns/report/campaign-report-page'
import { reportSearch } from '@/features/campaigns/report/report-search'

export const Route = createFileRoute('/_app/reports')({
  validateSearch: reportSearch,
  loaderDeps: ({ search: { campaignId } }) => ({ campaignId }),
  loader: async ({ context, deps: { campaignId }, preload }) => {
    try {
      return await context.queryClient.ensureQueryData(campaignQueries.detail(campaignId))
    } catch (error) {
      // No campaign to report on, or none that the user may read.
      if (!preload) toast.error(missingOrFailed(error))
      throw redirect({ to: '/campaigns', replace: true })
    }
  },
  component: CampaignReportPage,
})
