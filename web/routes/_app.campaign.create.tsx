import { createFileRoute, redirect } from '@tanstack/react-router'
import { mayEnter } from '../domain/permissions.ts'
import { CampaignCreatePage } from '../features/campaigns/form/campaign-create-page.tsx'
import { createSearch } from '../features/campaigns/form/form-search.ts'

export const Route = createFileRoute('/_app/campaign/create')({
  validateSearch: createSearch,
  beforeLoad: ({ context }) => {
    if (!mayEnter(context.me.roles, 'campaign.write')) throw redirect({ to: '/campaigns', replace: true })
  },
  component: CampaignCreatePage,
})
