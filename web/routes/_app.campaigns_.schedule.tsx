import { createFileRoute, redirect } from '@tanstack/react-router'
import { can } from '@/session/can'
import { SchedulePage } from '@/features/campaigns/schedule/schedule-page'
import { scheduleQueries } from '@/features/campaigns/schedule/schedule-queries'
import { scheduleSearch } from '@/features/campaigns/schedule/schedule-search'

export const Route = createFileRoute('/_app/campaigns_/schedule')({
  validateSearch: scheduleSearch,
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'campaign.read')) throw redirect({ to: '/', replace: true })
  },
  loaderDeps: ({ search }) => ({ search }),
  // Not awaited: the frame paints at once, the rows follow.
  loader: ({ context, deps: { search } }) => {
    void context.queryClient.prefetchQuery(scheduleQueries.list(search.state ?? 'waiting', search.page ?? 0))
  },
  component: ScheduleRoute,
})

function ScheduleRoute() {
  const navigate = Route.useNavigate()
  return (
    <SchedulePage
      search={Route.useSearch()}
      onSearch={(patch, history) =>
        void navigate({ search: (previous) => ({ ...previous, ...patch }), replace: history === 'replace', resetScroll: false })
      }
    />
  )
}
