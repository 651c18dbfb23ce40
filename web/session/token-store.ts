/** Storage of the session between visits (platform.md §4, §9). Its refresh token is in a cookie, which no script reads (fine print 90). */
const KEYS = {
  access: 'DSP_AUTH_TOKEN',
  expires: 'DSP_AUTH_TOKEN_EXPIRES_AT',
  refresh: 'DSP_REFRESH_TOKEN',
  space: 'DSP_SPACE_ID',
} as const
const SIGNED_OUT = 'DSP_SIGNED_OUT'

export type Grant = {
  access_token: string
  refresh_token?: string | undefined
  expires_in: number
  space_id?: string | null | undefined
}

export const accessToken = () => localStorage.getItem(KEYS.access)
/** The refresh token of a session without a cookie: it began before there was one, or at an API of another host. Null for others. */
export const storedRefreshToken = () => localStorage.getItem(KEYS.refresh)
export const spaceId = () => localStorage.getItem(KEYS.space)
export const isSignedIn = () => accessToken() !== null

/** True when the access token expires within ten seconds or has no known expiry. */
export function isStale(now: number): boolean {
  const expires = Number(localStorage.getItem(KEYS.expires))
  return accessToken() !== null && (!Number.isFinite(expires) || expires - now <= 10_000)
}

export function storeGrant(grant: Grant, now: number) {
  noteSignOut(false)
  localStorage.setItem(KEYS.access, grant.access_token)
  if (grant.refresh_token === undefined) localStorage.removeItem(KEYS.refresh)
  else localStorage.setItem(KEYS.refresh, grant.refresh_token)
  localStorage.setItem(KEYS.expires, String(now + grant.expires_in * 1000))
  if (grant.space_id) localStorage.setItem(KEYS.space, grant.space_id)
}

/** True after a sign-out that the server has not confirmed: the cookie may still hold the token of the session. */
export const isSignOutOpen = () => localStorage.getItem(SIGNED_OUT) !== null

export function noteSignOut(open: boolean) {
  if (open) localStorage.setItem(SIGNED_OUT, 'true')
  else localStorage.removeItem(SIGNED_OUT)
}

export function clearTokens() {
  for (const key of Object.values(KEYS)) localStorage.removeItem(key)
}
