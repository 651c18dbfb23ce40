import { createFileRoute, redirect } from '@tanstack/react-router'
import { queueSearch } from '@/features/campaigns/moderation-queue/queue-search'

/** The owner's URL of the queue. All moderators share one page (decisions G-138), which checks the permission. */
export const Route = createFileRoute('/_app/admin/moderation')({
  validateSearch: queueSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/moderation', search, replace: true })
  },
})
