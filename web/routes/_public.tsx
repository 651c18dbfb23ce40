import { createFileRoute, redirect } from '@tanstack/react-router'
import { isSignedIn } from '../api/token-store.ts'
import { PublicFrame } from '../features/session/public-frame.tsx'

export const Route = createFileRoute('/_public')({
  beforeLoad: () => {
    if (isSignedIn()) throw redirect({ to: '/campaigns', replace: true })
  },
  component: PublicFrame,
})
