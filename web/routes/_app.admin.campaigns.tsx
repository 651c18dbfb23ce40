import { createFileRoute, redirect, stripSearchParams } from '@tanstack/react-router'
import { can } from '@/session/can'
import { rememberList } from '@/session/return-path'
import { CampaignListPage } from '@/features/campaigns/list/campaign-list-page'
import { listQuery } from '@/features/campaigns/list/campaign-list-query'
import { viewsQuery } from '@/features/campaigns/list-views/view-queries'
import { LIST_DEFAULTS, listSearch } from '@/features/campaigns/list/campaign-list-search'

export const Route = createFileRoute('/_app/admin/campaigns')({
  validateSearch: listSearch,
  search: { middlewares: [stripSearchParams(LIST_DEFAULTS)] },
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'campaign.admin-list')) throw redirect({ to: '/', replace: true })
  },
  loaderDeps: ({ search }) => ({ search }),
  loader: ({ context, deps, location, preload }) => {
    if (!preload) rememberList(location.href)
    void context.queryClient.prefetchQuery(listQuery('all', deps.search))
    void context.queryClient.prefetchQuery(viewsQuery('all'))
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
