import { createFileRoute, redirect } from '@tanstack/react-router'
import { can } from '@/session/can'
import { EventsPage } from '@/features/events/events-page'
import { eventsSearch } from '@/features/events/events-search'

export const Route = createFileRoute('/_app/events')({
  validateSearch: eventsSearch,
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'events.read')) throw redirect({ to: '/', replace: true })
  },
  component: EventsPage,
})
