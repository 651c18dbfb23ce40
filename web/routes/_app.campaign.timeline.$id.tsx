import { createFileRoute, redirect } from '@tanstack/react-router'
import { isOffline } from '@/data/app-error'
import { can } from '@/session/can'
import { toast } from '@/lib/toast'
import { campaignQueries } from '@/data/campaign-queries'
import { missingOrFailed } from '@/features/campaigns/load-failure'
import { TimelinePage } from '@/features/campaigns/timeline/timeline-page'
import { timelineSearch } from '@/features/campaigns/timeline/timeline-search'

export const Route = createFileRoute('/_app/campaign/timeline/$id')({
  validateSearch: timelineSearch,
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'log.read')) throw redirect({ to: '/', replace: true })
  },
  loader: async ({ context, params, preload }) => {
    try {
      return await context.queryClient.ensureQueryData(campaignQueries.detail(params.id))
    } catch (error) {
      // The page shows this error itself.
      if (isOffline(error)) throw error
      if (!preload) toast.error(missingOrFailed(error))
      throw redirect({ to: '/', replace: true })
    }
  },
  component: TimelinePage,
})
