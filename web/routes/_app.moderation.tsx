import { createFileRoute, redirect, stripSearchParams } from '@tanstack/react-router'
import { can } from '@/session/can'
import { rememberList } from '@/session/return-path'
import { ModerationQueuePage } from '@/features/campaigns/moderation-queue/moderation-queue-page'
import { QUEUE_DEFAULTS, queueSearch, type OnQueueSearch } from '@/features/campaigns/moderation-queue/queue-search'
import { SecondLooksPage } from '@/features/campaigns/moderation-queue/second-looks-page'
import { RegistrantsPage } from '@/features/registration/registrants-page'

export const Route = createFileRoute('/_app/moderation')({
  validateSearch: queueSearch,
  search: { middlewares: [stripSearchParams(QUEUE_DEFAULTS)] },
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'campaign.moderate')) throw redirect({ to: '/', replace: true })
  },
  loaderDeps: ({ search: { page, filter } }) => ({ page, filter }),
  // Without the campaign: another moderator may have decided it before the user returns.
  loader: ({ deps: { page, filter }, preload }) => {
    if (preload) return
    const search = [...(page === 0 ? [] : [`page=${page}`]), ...(filter === 'all' ? [] : [`filter=${filter}`])]
    rememberList(['/moderation', ...(search.length === 0 ? [] : [search.join('&')])].join('?'))
  },
  component: ModerationRoute,
})

function ModerationRoute() {
  const navigate = Route.useNavigate()
  const search = Route.useSearch()
  const show: OnQueueSearch = (next, history = 'push') =>
    void navigate({ search: next, replace: history === 'replace', resetScroll: false })
  if (search.tab === 'second') return <SecondLooksPage search={search} onSearch={show} />
  return search.tab === 'registrants' ? (
    <RegistrantsPage page={search.page} onPage={(page) => show({ tab: 'registrants', page })} />
  ) : (
    <ModerationQueuePage search={search} onSearch={show} />
  )
}
