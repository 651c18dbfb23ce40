import { createFileRoute, redirect, stripSearchParams } from '@tanstack/react-router'
import { attentionQueries } from '@/data/attention-queries'
import { can, isAdvertiser } from '@/session/can'
import { rememberList } from '@/session/return-path'
import { CampaignListPage } from '@/features/campaigns/list/campaign-list-page'
import { listQuery } from '@/features/campaigns/list/campaign-list-query'
import { viewsQuery } from '@/features/campaigns/list-views/view-queries'
import { LIST_DEFAULTS, listSearch } from '@/features/campaigns/list/campaign-list-search'

export const Route = createFileRoute('/_app/campaigns')({
  validateSearch: listSearch,
  search: { middlewares: [stripSearchParams(LIST_DEFAULTS)] },
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'campaign.read')) throw redirect({ to: '/', replace: true })
  },
  loaderDeps: ({ search }) => ({ search }),
  // Not awaited: the frame paints at once, the rows follow.
  loader: ({ context, deps, location, preload }) => {
    if (!preload) rememberList(location.href)
    void context.queryClient.prefetchQuery(listQuery('account', deps.search))
    void context.queryClient.prefetchQuery(viewsQuery('account'))
    if (isAdvertiser(context.me) && can(context.me, 'campaign.write'))
      void context.queryClient.prefetchQuery(attentionQueries.mine())
  },
  component: CampaignsRoute,
})

function CampaignsRoute() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
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
