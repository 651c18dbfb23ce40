import { createFileRoute, redirect, stripSearchParams } from '@tanstack/react-router'
import { can } from '@/session/can'
import { AccountsPage } from '@/features/accounts/accounts-page'
import { ACCOUNTS_DEFAULTS, accountsSearch } from '@/features/accounts/accounts-search'

export const Route = createFileRoute('/_app/admin/accounts/')({
  validateSearch: accountsSearch,
  search: { middlewares: [stripSearchParams(ACCOUNTS_DEFAULTS)] },
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'account.list')) throw redirect({ to: '/', replace: true })
  },
  component: AccountsPage,
})
