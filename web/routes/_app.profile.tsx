import { createFileRoute, redirect } from '@tanstack/react-router'
import { ProfilePage } from '@/features/profile/profile-page'
import { profileSearch } from '@/features/profile/profile-search'
import { hasStaffProfile } from '@/session/can'

export const Route = createFileRoute('/_app/profile')({
  validateSearch: profileSearch,
  beforeLoad: ({ context, search }) => {
    if (hasStaffProfile(context.me)) throw redirect({ to: '/profile-whitelabel', search, replace: true })
  },
  component: ProfileRoute,
})

function ProfileRoute() {
  const { tab = 'profile' } = Route.useSearch()
  return <ProfilePage path="/profile" tab={tab} />
}
