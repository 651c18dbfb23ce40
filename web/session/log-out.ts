import { signOut } from '#contract/session'
import { call, endSession } from '@/data/client'
import { sessionChange } from './identity.ts'
import { isSignOutOpen, noteSignOut, storedRefreshToken } from './token-store.ts'
import { mayLeave } from '@/lib/unsaved'

/**
 * Ends the session in this browser at once, after asking about unsaved changes. The server is notified in the background; where the
 * session began at an identity provider, its answer leads there, to end that session too.
 */
export function logOut() {
  // The stored session belongs to another identity than this tab's, so it must not be ended.
  if (sessionChange() !== null) return location.reload()
  void mayLeave().then((leave) => {
    if (!leave) return
    noteSignOut(true)
    endAtServer().then(
      (endUrl) => endUrl !== null && globalThis.location.assign(endUrl),
      () => undefined,
    )
    endSession('left')
  })
}

/** Repeats a sign-out that did not reach the server, such as one without a connection: only the server can remove the cookie. */
export function finishLogOut() {
  if (isSignOutOpen()) endAtServer().catch(() => undefined)
}

async function endAtServer(): Promise<string | null> {
  const token = storedRefreshToken()
  const { end_url } = await call(signOut, { body: token === null ? {} : { refresh_token: token }, keepalive: true })
  noteSignOut(false)
  return end_url
}
