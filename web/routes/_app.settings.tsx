import { createFileRoute, redirect } from '@tanstack/react-router'
import { SettingsPage } from '@/features/settings/settings-page'
import { can } from '@/session/can'

export const Route = createFileRoute('/_app/settings')({
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'credential.manage')) throw redirect({ to: '/campaigns', replace: true })
  },
  component: SettingsPage,
})
