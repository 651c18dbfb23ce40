import { createFileRoute, redirect } from '@tanstack/react-router'
import { t } from 'i18next'
import { toast } from '@/lib/toast'
import { can } from '@/session/can'
import { sessionQueries } from '@/session/session-queries'
import { campaignQueries } from '@/data/campaign-queries'
import { missingOrFailed } from '@/features/campaigns/load-failure'
import { CampaignCreatePage } from '@/features/campaigns/form/campaign-create-page'
import { createSearch } from '@/features/campaigns/form/form-search'

export const Route = createFileRoute('/_app/campaign/create')({
  validateSearch: createSearch,
  beforeLoad: async ({ context, search, preload }) => {
    if (!can(context.me, 'campaign.write')) throw redirect({ to: '/', replace: true })
    if (search.type !== 'other') return
    const { audio_ads: offered } = await context.queryClient.ensureQueryData(sessionQueries.whitelabel())
    if (offered) return
    if (!preload) toast.error(t('campaigns:goalPicker.noAudio'))
    throw redirect({ to: '/campaigns', replace: true })
  },
  loaderDeps: ({ search: { replicatedId } }) => ({ replicatedId }),
  // The source campaign of a copy; null for a new campaign.
  loader: async ({ context, deps: { replicatedId }, preload }) => {
    if (replicatedId === undefined) return null
    try {
      return await context.queryClient.ensureQueryData(campaignQueries.detail(replicatedId))
    } catch (error) {
      if (!preload) toast.error(missingOrFailed(error))
      throw redirect({ to: '/campaigns', replace: true })
    }
  },
  component: CampaignCreatePage,
})
