import { createFileRoute } from '@tanstack/react-router'
import { EventsPage } from '@/features/events/events-page'
import { eventsSearch } from '@/features/events/events-search'

export const Route = createFileRoute('/_app/events')({ validateSearch: eventsSearch, component: EventsPage })
