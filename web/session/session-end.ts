import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { onSignedOut } from '@/data/client'
import { hasUnsaved } from '@/lib/unsaved'
import { signInFrom, type SignInSearch } from './sign-in-search.ts'

const SIGN_IN = '/auth/login'

const listeners = new Set<() => void>()
let asking = false

function setAsking(next: boolean) {
  asking = next
  for (const listener of listeners) listener()
}

/** True while the sign-in dialog is open over the page. */
export const signInAgain = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  asked: () => asking,
  close: () => setAsking(false),
}

/**
 * Opens the sign-in page when the session ends, and returns afterwards. With unsaved changes it opens a sign-in dialog over the
 * page instead, so that no input is lost.
 */
export function followSession(router: AnyRouter, queryClient: QueryClient) {
  onSignedOut((why) => {
    const isTaken = why === 'expired' || why === 'outside'
    if (isTaken && hasUnsaved()) return setAsking(true)
    queryClient.clear()
    // Calls that were on their way fail with the session that has just ended.
    if (isTaken && router.latestLocation.pathname === SIGN_IN) return
    const search: SignInSearch = {
      ...(isTaken ? signInFrom(router.state.location.href) : {}),
      ...(why === 'handed-over' ? { after: 'hand-over' } : why === 'outside' ? { after: why } : {}),
    }
    void router.navigate({ to: SIGN_IN, search, ignoreBlocker: true })
  })
}
