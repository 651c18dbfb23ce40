import { createFileRoute } from '@tanstack/react-router'
import { InvitationsPage } from '@/features/team/invitations-page'

export const Route = createFileRoute('/_app/invitations')({ component: InvitationsPage })
