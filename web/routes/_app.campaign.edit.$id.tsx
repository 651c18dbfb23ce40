import { createFileRoute, redirect } from '@tanstack/react-router'
import { t } from 'i18next'
import { toast } from '../lib/toast.ts'
import { campaignQueries } from '../features/campaigns/campaign-queries.ts'
import { CampaignEditPage } from '../features/campaigns/form/campaign-edit-page.tsx'
import { editSearch } from '../features/campaigns/form/form-search.ts'
import { loadFormTexts } from '../i18n/setup.ts'

export const Route = createFileRoute('/_app/campaign/edit/$id')({
  validateSearch: editSearch,
  loader: async ({ context, params, preload }) => {
    try {
      const campaign = context.queryClient.ensureQueryData({ ...campaignQueries.detail(params.id), revalidateIfStale: true })
      const [loaded] = await Promise.all([campaign, loadFormTexts()])
      return loaded
    } catch {
      if (!preload) toast.error(t('campaigns:loadFailed'))
      throw redirect({ to: '/campaigns', replace: true })
    }
  },
  component: CampaignEditPage,
})
