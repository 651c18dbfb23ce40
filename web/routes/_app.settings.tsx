import { createFileRoute, redirect } from '@tanstack/react-router'
import { ProfilePage } from '@/features/profile/profile-page'
import { WhiteLabelSections } from '@/features/settings/white-label-sections'
import { can } from '@/session/can'

export const Route = createFileRoute('/_app/settings')({
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'credential.manage')) throw redirect({ to: '/', replace: true })
  },
  component: SettingsRoute,
})

function SettingsRoute() {
  return (
    <ProfilePage path="/profile-whitelabel" tab="access">
      <WhiteLabelSections />
    </ProfilePage>
  )
}
