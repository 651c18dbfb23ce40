import { signOut } from '../../../api/contract/session.ts'
import { call, endSession } from '../../api/client.ts'
import { refreshToken } from '../../api/token-store.ts'

/** Here at once; the server is told, but nobody waits for it. */
export function logOut() {
  const token = refreshToken()
  if (token !== null) call(signOut, { body: { refresh_token: token } }).catch(() => undefined)
  endSession()
}
