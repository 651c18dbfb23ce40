import { createFileRoute, redirect } from '@tanstack/react-router'
import { t } from 'i18next'
import { isOffline } from '@/data/app-error'
import { can } from '@/session/can'
import { toast } from '@/lib/toast'
import { campaignQueries } from '@/data/campaign-queries'
import { CampaignEditPage } from '@/features/campaigns/form/campaign-edit-page'
import { editSearch } from '@/features/campaigns/form/form-search'

export const Route = createFileRoute('/_app/campaign/edit/$id')({
  validateSearch: editSearch,
  loaderDeps: ({ search }) => ({ instant: search.as_of }),
  loader: async ({ context, params, deps: { instant }, preload }) => {
    try {
      const campaign =
        instant === undefined
          ? context.queryClient.ensureQueryData({ ...campaignQueries.detail(params.id), revalidateIfStale: true })
          : context.queryClient.ensureQueryData(campaignQueries.asOf(params.id, instant))
      // Faults may refer to owner-only fields.
      if (can(context.me, 'owner-fields.read')) await import('@/i18n/texts/owner')
      return await campaign
    } catch (error) {
      // The page shows this error itself, and loads the campaign once there is a connection.
      if (isOffline(error)) throw error
      if (!preload) toast.error(t('campaigns:loadFailed'))
      throw redirect({ to: '/campaigns', replace: true })
    }
  },
  component: CampaignEditPage,
})
