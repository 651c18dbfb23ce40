import { createFileRoute, redirect } from '@tanstack/react-router'
import { can } from '@/session/can'
import { toast } from '@/lib/toast'
import { campaignQueries } from '@/data/campaign-queries'
import { missingOrFailed } from '@/features/campaigns/load-failure'
import { ReportsPage } from '@/features/campaigns/report/reports-page'
import { reportSearch } from '@/features/campaigns/report/report-search'

export const Route = createFileRoute('/_app/reports')({
  validateSearch: reportSearch,
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'campaign.read')) throw redirect({ to: '/', replace: true })
  },
  loaderDeps: ({ search: { campaignId } }) => ({ campaignId }),
  loader: async ({ context, deps: { campaignId }, preload }) => {
    // Without a campaign the page is about the account.
    if (campaignId === '') return null
    try {
      return await context.queryClient.ensureQueryData(campaignQueries.detail(campaignId))
    } catch (error) {
      // No campaign to report on, or none that the user may read.
      if (!preload) toast.error(missingOrFailed(error))
      throw redirect({ to: '/campaigns', replace: true })
    }
  },
  component: ReportsPage,
})
