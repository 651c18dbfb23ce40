import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { mayEnter } from '@/session/permissions'
import { rememberList } from '@/session/return-path'
import { campaignQueries } from '@/features/campaigns/campaign-queries'
import { CampaignListPage } from '@/features/campaigns/list/campaign-list-page'
import { LIST_DEFAULTS, listSearch } from '@/features/campaigns/list/campaign-list-search'
import { NoAccessPage } from '@/app/frame/no-access-page'

export const Route = createFileRoute('/_app/campaigns')({
  validateSearch: listSearch,
  search: { middlewares: [stripSearchParams(LIST_DEFAULTS)] },
  loaderDeps: ({ search }) => ({ search }),
  // Not awaited: the frame paints at once, the rows follow.
  loader: ({ context, deps, location, preload }) => {
    if (!preload) rememberList(location.href)
    if (mayEnter(context.me.roles, 'campaign.read'))
      void context.queryClient.prefetchQuery(campaignQueries.list('account', deps.search))
  },
  component: CampaignsRoute,
})

function CampaignsRoute() {
  const { me } = Route.useRouteContext()
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  if (!mayEnter(me.roles, 'campaign.read')) return <NoAccessPage />
  return (
    <CampaignListPage
      scope="account"
      search={search}
      onSearch={(patch, history) =>
        void navigate({ search: (previous) => ({ ...previous, ...patch }), replace: history === 'replace' })
      }
    />
  )
}
