import { createFileRoute, redirect, stripSearchParams } from '@tanstack/react-router'
import { mayEnter } from '../domain/permissions.ts'
import { rememberList } from '../domain/return-path.ts'
import { campaignQueries } from '../features/campaigns/campaign-queries.ts'
import { CampaignListPage } from '../features/campaigns/list/campaign-list-page.tsx'
import { LIST_DEFAULTS, listSearch } from '../features/campaigns/list/campaign-list-search.ts'

export const Route = createFileRoute('/_app/admin/campaigns')({
  validateSearch: listSearch,
  search: { middlewares: [stripSearchParams(LIST_DEFAULTS)] },
  beforeLoad: ({ context }) => {
    if (!mayEnter(context.me.roles, 'campaign.admin-list')) throw redirect({ to: '/campaigns', replace: true })
  },
  loaderDeps: ({ search }) => ({ search }),
  loader: ({ context, deps, location, preload }) => {
    if (!preload) rememberList(location.href)
    void context.queryClient.prefetchQuery(campaignQueries.list('all', deps.search))
  },
  component: AdminCampaignsRoute,
})

function AdminCampaignsRoute() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <CampaignListPage
      scope="all"
      search={search}
      onSearch={(patch, history) =>
        void navigate({ search: (previous) => ({ ...previous, ...patch }), replace: history === 'replace' })
      }
    />
  )
}
