import { signOut } from '#contract/session'
import { call, endSession } from '@/data/client'
import { sessionChange } from './identity.ts'
import { storedRefreshToken } from './token-store.ts'
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
    const token = storedRefreshToken()
    call(signOut, { body: token === null ? {} : { refresh_token: token }, keepalive: true }).then(
      ({ end_url }) => end_url !== null && globalThis.location.assign(end_url),
      () => undefined,
    )
    endSession('left')
  })
}
