import { createFileRoute, redirect, stripSearchParams } from '@tanstack/react-router'
import { mayEnter } from '@/session/permissions'
import { rememberList } from '@/session/return-path'
import { ModerationQueuePage } from '@/features/moderation-queue/moderation-queue-page'
import { QUEUE_DEFAULTS, queueSearch } from '@/features/moderation-queue/queue-search'

export const Route = createFileRoute('/_app/moderation')({
  validateSearch: queueSearch,
  search: { middlewares: [stripSearchParams(QUEUE_DEFAULTS)] },
  beforeLoad: ({ context }) => {
    if (!mayEnter(context.me.roles, 'campaign.moderate')) throw redirect({ to: '/campaigns', replace: true })
  },
  loaderDeps: ({ search: { page } }) => ({ page }),
  // Without the campaign: who comes back has decided about it.
  loader: ({ deps: { page }, preload }) => {
    if (!preload) rememberList(page === 0 ? '/moderation' : `/moderation?page=${page}`)
  },
  component: ModerationRoute,
})

function ModerationRoute() {
  const navigate = Route.useNavigate()
  return <ModerationQueuePage search={Route.useSearch()} onSearch={(search) => void navigate({ search, resetScroll: false })} />
}
