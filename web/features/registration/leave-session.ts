import { endSession } from '@/data/client'
import { isSignedIn } from '@/session/token-store'

/** Signs this browser out: a new password has ended the sessions, and the sign-in page is only for signed-out users. */
export function leaveSession(): void {
  if (isSignedIn()) endSession('left')
}
