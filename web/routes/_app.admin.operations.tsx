import { createFileRoute, redirect } from '@tanstack/react-router'
import { OperationsPage } from '@/features/operations/operations-page'
import { operationsSearch } from '@/features/operations/operations-search'
import { can } from '@/session/can'

export const Route = createFileRoute('/_app/admin/operations')({
  validateSearch: operationsSearch,
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'operations.read')) throw redirect({ to: '/', replace: true })
  },
  component: OperationsPage,
})
