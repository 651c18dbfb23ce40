import { createFileRoute, redirect, stripSearchParams } from '@tanstack/react-router'
import { can } from '@/session/can'
import { rememberList } from '@/session/return-path'
import { ModerationQueuePage } from '@/features/campaigns/moderation-queue/moderation-queue-page'
import { QUEUE_DEFAULTS, queueSearch, type OnQueueSearch } from '@/features/campaigns/moderation-queue/queue-search'
import { RegistrantsPage } from '@/features/registration/registrants-page'

export const Route = createFileRoute('/_app/moderation')({
  validateSearch: queueSearch,
  search: { middlewares: [stripSearchParams(QUEUE_DEFAULTS)] },
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'campaign.moderate')) throw redirect({ to: '/', replace: true })
  },
  loaderDeps: ({ search: { page } }) => ({ page }),
  // Without the campaign: another moderator may have decided it before the user returns.
  loader: ({ deps: { page }, preload }) => {
    if (!preload) rememberList(page === 0 ? '/moderation' : `/moderation?page=${page}`)
  },
  component: ModerationRoute,
})

function ModerationRoute() {
  const navigate = Route.useNavigate()
  const search = Route.useSearch()
  const show: OnQueueSearch = (next, history = 'push') =>
    void navigate({ search: next, replace: history === 'replace', resetScroll: false })
  return search.tab === 'registrants' ? (
    <RegistrantsPage page={search.page} onPage={(page) => show({ tab: 'registrants', page })} />
  ) : (
    <ModerationQueuePage search={search} onSearch={show} />
  )
}
