/** Prefix of every key: distinguishes it from an access token, and helps to find leaked keys. */
export const API_KEY_PREFIX = 'placard_key_'
/** Prefix of the session id of calls with an API key, before the id of the key. */
export const KEY_SESSION = 'key:'
/** Lifetime of an access token that an API key was exchanged for (fine print 86), seconds. */
export const KEY_TOKEN_SECONDS = 900
/** Open keys per person; replaced ones do not count. */
export const MOST_API_KEYS = 25

/** Prefix of every secret: distinguishes it from an access token, and helps to find leaked secrets. */
export const SECRET_PREFIX = 'placard_svc_'
/** Passkeys of a person. */
export const MOST_PASSKEYS = 20
/** How long a proof of a session's user holds for calls that need one (fine print 83), minutes. */
export const PROOF_MINUTES = 5
/** Prefix of every token of a directory (fine print 85). */
export const SCIM_PREFIX = 'placard_scim_'
