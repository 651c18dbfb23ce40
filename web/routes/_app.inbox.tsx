import { createFileRoute, redirect } from '@tanstack/react-router'
import { InboxPage } from '@/features/inbox/inbox-page'
import { inboxSearch } from '@/features/inbox/inbox-search'
import { can } from '@/session/can'

export const Route = createFileRoute('/_app/inbox')({
  validateSearch: inboxSearch,
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'chat.answer')) throw redirect({ to: '/', replace: true })
  },
  component: InboxPage,
})
