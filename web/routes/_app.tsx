import { createFileRoute, redirect } from '@tanstack/react-router'
import { showIdentity } from '../api/identity.ts'
import { isSignedIn } from '../api/token-store.ts'
import { FrameError, FramePending } from '../components/route-states.tsx'
import { sessionQueries } from '../domain/session-queries.ts'
import { signInFrom } from '../features/session/sign-in-search.ts'
import { AppFrame } from '../features/frame/app-frame.tsx'

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
