import { createFileRoute, redirect } from '@tanstack/react-router'
import { can } from '@/session/can'
import { AccountPage } from '@/features/accounts/account-page'
import { AccountTeam } from '@/features/team/account-team'
import { accountSearch } from '@/features/accounts/account-search'

export const Route = createFileRoute('/_app/admin/user/details/$id')({
  validateSearch: accountSearch,
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'account.list')) throw redirect({ to: '/', replace: true })
  },
  component: AccountRoute,
})

function AccountRoute() {
  return <AccountPage renderTeam={(spaceId) => <AccountTeam spaceId={spaceId} />} />
}
