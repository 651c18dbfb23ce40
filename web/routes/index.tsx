import { createFileRoute, redirect } from '@tanstack/react-router'
import { homeOf } from '@/session/home'
import { sessionQueries } from '@/session/session-queries'
import { isSignedIn } from '@/session/token-store'

export const Route = createFileRoute('/')({
  beforeLoad: async ({ context }) => {
    if (!isSignedIn()) throw redirect({ to: '/auth/login', replace: true })
    throw redirect({ to: homeOf(await context.queryClient.ensureQueryData(sessionQueries.me())), replace: true })
  },
})
