import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Navigate } from '@tanstack/react-router'
import { isSignedIn } from '@/session/token-store'
import { RootFrame } from '@/app/frame/root-frame'

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: RootFrame,
  // Unknown addresses redirect to the list, or to sign-in for signed-out users.
  notFoundComponent: () => <Navigate to={isSignedIn() ? '/campaigns' : '/auth/login'} replace />,
})
