import { createFileRoute, redirect } from '@tanstack/react-router'
import { mayEnter } from '../domain/permissions.ts'
import { rememberList } from '../domain/return-path.ts'
import { loadFormTexts } from '../i18n/setup.ts'
import { ModerationQueuePage } from '../features/moderation-queue/moderation-queue-page.tsx'

export const Route = createFileRoute('/_app/moderation')({
  beforeLoad: ({ context }) => {
    if (!mayEnter(context.me.roles, 'campaign.moderate')) throw redirect({ to: '/campaigns', replace: true })
  },
  loader: async ({ location, preload }) => {
    if (!preload) rememberList(location.href)
    await loadFormTexts()
  },
  component: ModerationQueuePage,
})
