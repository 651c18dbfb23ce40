import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Navigate } from '@tanstack/react-router'
import { isSignedIn } from '../api/token-store.ts'
import { RootFrame } from '../features/frame/root-frame.tsx'

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: RootFrame,
  // Unknown addresses lead to the list, or to sign-in for those who are not signed in.
  notFoundComponent: () => <Navigate to={isSignedIn() ? '/campaigns' : '/auth/login'} replace />,
})
