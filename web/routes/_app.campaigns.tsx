import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { can } from '@/session/can'
import { rememberList } from '@/session/return-path'
import { CampaignListPage } from '@/features/campaigns/list/campaign-list-page'
import { listQuery } from '@/features/campaigns/list/campaign-list-query'
import { LIST_DEFAULTS, listSearch } from '@/features/campaigns/list/campaign-list-search'
import { NoAccess } from '@/components/page/page'

export const Route = createFileRoute('/_app/campaigns')({
  validateSearch: listSearch,
  search: { middlewares: [stripSearchParams(LIST_DEFAULTS)] },
  loaderDeps: ({ search }) => ({ search }),
  // Not awaited: the frame paints at once, the rows follow.
  loader: ({ context, deps, location, preload }) => {
    if (!preload) rememberList(location.href)
    if (can(context.me, 'campaign.read')) void context.queryClient.prefetchQuery(listQuery('account', deps.search))
  },
  component: CampaignsRoute,
})

function CampaignsRoute() {
  const { me } = Route.useRouteContext()
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  if (!can(me, 'campaign.read')) return <NoAccess />
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
