import { AppError, SESSION_CHANGED } from '@/data/app-error'
import { accessToken, isSignedIn, spaceId } from './token-store.ts'

/** The user and the account of this tab. Tabs share tokens, so the stored session may be another one. */
export type Identity = { readonly user: string; readonly space: string }

/** How the stored session differs from this tab's; null when it does not. */
export type SessionChange = 'other' | 'signed-out'

let shown: Identity | null = null
/** The token that the server refused for this tab's identity. */
let refusedAs: string | null = null
const listeners = new Set<() => void>()
const notify = () => {
  for (const listener of listeners) listener()
}

/** Sets the identity once the user is known. From then on nothing is sent under another identity. */
export function showIdentity(identity: Identity) {
  shown = identity
  notify()
}

/** Clears the identity when this tab itself signs out or in. */
export function forgetIdentity() {
  shown = null
  refusedAs = null
  notify()
}

/** Returns the account of this tab; before it is known, the account of the stored session. */
export const shownSpace = (): string | null => shown?.space ?? spaceId()

export function sessionChange(): SessionChange | null {
  if (shown === null) return null
  if (!isSignedIn()) return 'signed-out'
  if (refusedAs === accessToken()) return 'other'
  const stored = storedIdentity()
  return stored === null || (stored.user === shown.user && stored.space === shown.space) ? null : 'other'
}

/** Reports changes made by other tabs, and re-checks when the tab becomes visible: a frozen tab receives no events. */
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

/** Throws unless the stored session belongs to this tab's identity. */
export function assertShownSession() {
  if (sessionChange() === null) return
  notify()
  throw sessionChanged()
}

/** The server compares this header with the token of the call (code 1420). */
export const IDENTITY_HEADER = 'X-Placard-Identity'
export const identityHeader = (): string | null => (shown === null ? null : `${shown.user} ${shown.space}`)

const SPACE_MISMATCH = 1420

/** Records a refusal by the identity header, and converts it to its own error code. */
export function sessionRefusal(error: AppError): AppError {
  if (error.code !== SPACE_MISMATCH || !error.faults.some(({ path }) => path === IDENTITY_HEADER)) return error
  refusedAs = accessToken()
  notify()
  return sessionChanged()
}

const sessionChanged = () => new AppError({ code: SESSION_CHANGED, key: 'session_changed', message: '', status: 409 })

/** The id of the stored session; null without one. */
export function storedSession(): string | null {
  const claims = storedClaims()
  return claims !== null && 'sid' in claims ? String(claims.sid) : null
}

function storedIdentity(): Identity | null {
  const claims = storedClaims()
  if (claims === null || !('sub' in claims) || !('space' in claims)) return null
  return { user: String(claims.sub), space: String(claims.space) }
}

/** Returns the claims of the stored access token; null when they cannot be read. */
function storedClaims(): object | null {
  try {
    const [, payload = ''] = (accessToken() ?? '').split('.')
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return typeof claims === 'object' ? claims : null
  } catch {
    return null
  }
}
