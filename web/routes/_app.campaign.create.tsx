import { createFileRoute, redirect } from '@tanstack/react-router'
import { t } from 'i18next'
import { toast } from '../lib/toast.ts'
import { mayEnter } from '../domain/permissions.ts'
import { sessionQueries } from '../domain/session-queries.ts'
import { campaignQueries } from '../features/campaigns/campaign-queries.ts'
import { CampaignCreatePage } from '../features/campaigns/form/campaign-create-page.tsx'
import { createSearch } from '../features/campaigns/form/form-search.ts'
import { loadFormTexts } from '../i18n/setup.ts'

export const Route = createFileRoute('/_app/campaign/create')({
  validateSearch: createSearch,
  beforeLoad: async ({ context, search, preload }) => {
    if (!mayEnter(context.me.roles, 'campaign.write')) throw redirect({ to: '/campaigns', replace: true })
    if (search.type !== 'other') return
    const { audio_ads: offered } = await context.queryClient.ensureQueryData(sessionQueries.whitelabel())
    if (offered) return
    if (!preload) toast.error(t('campaigns:goalPicker.noAudio'))
    throw redirect({ to: '/campaigns', replace: true })
  },
  loaderDeps: ({ search: { replicatedId } }) => ({ replicatedId }),
  // The campaign that the new one is a copy of; null when it is none.
  loader: async ({ context, deps: { replicatedId }, preload }) => {
    await loadFormTexts()
    if (replicatedId === undefined) return null
    try {
      return await context.queryClient.ensureQueryData(campaignQueries.detail(replicatedId))
    } catch {
      if (!preload) toast.error(t('campaigns:loadFailed'))
      throw redirect({ to: '/campaigns', replace: true })
    }
  },
  component: CampaignCreatePage,
})
