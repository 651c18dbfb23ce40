import { createFileRoute, redirect } from '@tanstack/react-router'
import { isSignedIn } from '@/session/token-store'
import { PublicFrame } from '@/session/public-frame'

export const Route = createFileRoute('/_public')({
  beforeLoad: () => {
    if (isSignedIn()) throw redirect({ to: '/', replace: true })
  },
  component: PublicFrame,
})
