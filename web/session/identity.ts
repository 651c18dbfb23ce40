import { AppError, SESSION_CHANGED } from '@/data/app-error'
import { accessToken, isSignedIn, spaceId } from './token-store.ts'

/** The user and the account that this tab shows. Tabs share tokens, so the stored session may be another one. */
export type Identity = { readonly user: string; readonly space: string }

/** How the stored session differs from what this tab shows; null when it does not. */
export type SessionChange = 'other' | 'signed-out'

let shown: Identity | null = null
/** The token that the server refused under the identity shown. */
let refusedAs: string | null = null
const listeners = new Set<() => void>()
const notify = () => {
  for (const listener of listeners) listener()
}

/** Called once the signed-in user is known: from now on nothing is sent under another identity. */
export function showIdentity(identity: Identity) {
  shown = identity
  notify()
}

/** Called when this tab itself signs out or in. */
export function forgetIdentity() {
  shown = null
  refusedAs = null
  notify()
}

/** The account that this tab shows; before that is known, the one of the stored session. */
export const shownSpace = (): string | null => shown?.space ?? spaceId()

export function sessionChange(): SessionChange | null {
  if (shown === null) return null
  if (!isSignedIn()) return 'signed-out'
  if (refusedAs === accessToken()) return 'other'
  const stored = storedIdentity()
  return stored === null || (stored.user === shown.user && stored.space === shown.space) ? null : 'other'
}

/** Reports changes made by other tabs, and re-checks when the tab is shown again: a frozen tab gets no events. */
export function onSessionChange(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('storage', notify)
    document.addEventListener('visibilitychange', notify)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    window.removeEventListener('storage', notify)
    document.removeEventListener('visibilitychange', notify)
  }
}

/** Throws unless the stored session is the one that this tab shows. */
export function assertShownSession() {
  if (sessionChange() === null) return
  notify()
  throw sessionChanged()
}

/** The server compares this header with the token of the call (code 1420). */
export const IDENTITY_HEADER = 'X-Placard-Identity'
export const identityHeader = (): string | null => (shown === null ? null : `${shown.user} ${shown.space}`)

const SPACE_MISMATCH = 1420

/** Notes a refusal by the identity header, and names it as what it is. */
export function sessionRefusal(error: AppError): AppError {
  if (error.code !== SPACE_MISMATCH || !error.faults.some(({ path }) => path === IDENTITY_HEADER)) return error
  refusedAs = accessToken()
  notify()
  return sessionChanged()
}

const sessionChanged = () => new AppError({ code: SESSION_CHANGED, key: 'session_changed', message: '', status: 409 })

/** The claims of the stored access token; null when they cannot be read. */
function storedIdentity(): Identity | null {
  try {
    const [, payload = ''] = (accessToken() ?? '').split('.')
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    if (typeof claims !== 'object' || claims === null || !('sub' in claims) || !('space' in claims)) return null
    return { user: String(claims.sub), space: String(claims.space) }
  } catch {
    return null
  }
}
