import { signOut } from '../../api/contract/session.ts'
import { call, endSession } from '@/data/client'
import { sessionChange } from './identity.ts'
import { refreshToken } from './token-store.ts'
import { mayLeave } from '@/lib/unsaved'

/** Ends the session on this side at once, after a question about unsaved changes. The server is told in the background. */
export function logOut() {
  // The stored session is not the one that this tab shows: it is not ours to end.
  if (sessionChange() !== null) return location.reload()
  void mayLeave().then((leave) => {
    if (!leave) return
    const token = refreshToken()
    if (token !== null) call(signOut, { body: { refresh_token: token } }).catch(() => undefined)
    endSession('left')
  })
}
