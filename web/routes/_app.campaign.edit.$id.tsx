import { createFileRoute, redirect } from '@tanstack/react-router'
import { t } from 'i18next'
import { isOffline } from '../api/app-error.ts'
import { mayEnter } from '../domain/permissions.ts'
import { toast } from '../lib/toast.ts'
import { campaignQueries } from '../features/campaigns/campaign-queries.ts'
import { CampaignEditPage } from '../features/campaigns/form/campaign-edit-page.tsx'
import { editSearch } from '../features/campaigns/form/form-search.ts'

export const Route = createFileRoute('/_app/campaign/edit/$id')({
  validateSearch: editSearch,
  loader: async ({ context, params, preload }) => {
    try {
      const campaign = context.queryClient.ensureQueryData({ ...campaignQueries.detail(params.id), revalidateIfStale: true })
      // Faults may lead to fields that only owners have.
      if (mayEnter(context.me.roles, 'owner-fields.read')) await import('../i18n/texts/owner.ts')
      return await campaign
    } catch (error) {
      // The page says so itself, and opens the campaign once there is a connection.
      if (isOffline(error)) throw error
      if (!preload) toast.error(t('campaigns:loadFailed'))
      throw redirect({ to: '/campaigns', replace: true })
    }
  },
  component: CampaignEditPage,
})
