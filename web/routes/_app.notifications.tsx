import { createFileRoute } from '@tanstack/react-router'
import { NotificationsPage } from '@/features/notifications/notifications-page'
import { notificationsSearch } from '@/features/notifications/notifications-search'

export const Route = createFileRoute('/_app/notifications')({
  validateSearch: notificationsSearch,
  component: NotificationsPage,
})
