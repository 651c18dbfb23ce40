import { createFileRoute, redirect } from '@tanstack/react-router'
import { can } from '@/session/can'
import { StatisticsPage } from '@/features/campaigns/moderation-statistics/statistics-page'
import { statisticsSearch } from '@/features/campaigns/moderation-statistics/statistics-search'
import { rangeSearch, type DateRange } from '@/lib/date-range'

export const Route = createFileRoute('/_app/moderation_/statistics')({
  validateSearch: statisticsSearch,
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'review.statistics')) throw redirect({ to: '/', replace: true })
  },
  component: StatisticsRoute,
})

function StatisticsRoute() {
  const navigate = Route.useNavigate()
  const show = (range: DateRange, today: Date) => void navigate({ search: rangeSearch(range, today), resetScroll: false })
  return <StatisticsPage search={Route.useSearch()} onRange={show} />
}
