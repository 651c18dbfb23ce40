import { createFileRoute, redirect } from '@tanstack/react-router'
import { showIdentity } from '@/session/identity'
import { isSignedIn } from '@/session/token-store'
import { FrameError, FramePending } from '@/components/route-states'
import { sessionQueries } from '@/session/session-queries'
import { signInFrom } from '@/session/sign-in-search'
import { AppFrame } from '@/app/frame/app-frame'

export const Route = createFileRoute('/_app')({
  beforeLoad: async ({ context, location }) => {
    if (!isSignedIn()) throw redirect({ to: '/auth/login', search: signInFrom(location.href), replace: true })
    const me = await context.queryClient.ensureQueryData(sessionQueries.me())
    showIdentity({ user: me.id, space: me.space_id })
    return { me }
  },
  pendingComponent: FramePending,
  errorComponent: FrameError,
  component: AppFrame,
})
