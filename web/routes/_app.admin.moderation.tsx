import { createFileRoute, redirect } from '@tanstack/react-router'
import { queueSearch } from '@/features/campaigns/moderation-queue/queue-search'

/** The owner's address of the queue. It is one page for all who moderate (decisions G-138), and that page decides who may see it. */
export const Route = createFileRoute('/_app/admin/moderation')({
  validateSearch: queueSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/moderation', search, replace: true })
  },
})
