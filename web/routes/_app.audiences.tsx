import { createFileRoute, redirect, stripSearchParams } from '@tanstack/react-router'
import { can } from '@/session/can'
import { AudiencesPage } from '@/features/audiences/audiences-page'
import { AUDIENCES_DEFAULTS, audiencesSearch } from '@/features/audiences/audiences-search'

export const Route = createFileRoute('/_app/audiences')({
  validateSearch: audiencesSearch,
  search: { middlewares: [stripSearchParams(AUDIENCES_DEFAULTS)] },
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'audience.read')) throw redirect({ to: '/', replace: true })
  },
  component: AudiencesPage,
})
