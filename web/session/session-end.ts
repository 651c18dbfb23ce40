import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { onSignedOut } from '@/data/client'
import { hasUnsaved } from '@/lib/unsaved'
import { signInFrom } from './sign-in-search.ts'

const listeners = new Set<() => void>()
let asking = false

function setAsking(next: boolean) {
  asking = next
  for (const listener of listeners) listener()
}

/** True while the user is asked to sign in again over the page. */
export const signInAgain = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  asked: () => asking,
  close: () => setAsking(false),
}

/**
 * Leads to the sign-in page when the session is over, and from there back. A session that ends under unsaved changes is asked for
 * again over the page instead, so that nothing typed is lost.
 */
export function followSession(router: AnyRouter, queryClient: QueryClient) {
  onSignedOut((why) => {
    if (why === 'expired' && hasUnsaved()) return setAsking(true)
    queryClient.clear()
    const search = why === 'expired' ? signInFrom(router.state.location.href) : {}
    void router.navigate({ to: '/auth/login', search, ignoreBlocker: true })
  })
}
