import { createFileRoute, redirect } from '@tanstack/react-router'
import { can } from '@/session/can'
import { TeamPage } from '@/features/team/team-page'

export const Route = createFileRoute('/_app/team')({
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'team.read')) throw redirect({ to: '/', replace: true })
  },
  component: TeamPage,
})
