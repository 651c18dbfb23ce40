import { createFileRoute, redirect } from '@tanstack/react-router'
import { can } from '@/session/can'
import { AuditPage } from '@/features/audit/audit-page'
import { auditSearch } from '@/features/audit/audit-search'

export const Route = createFileRoute('/_app/audit')({
  validateSearch: auditSearch,
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'log.verify')) throw redirect({ to: '/', replace: true })
  },
  component: AuditPage,
})
