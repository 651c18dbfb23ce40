import { z } from './zod.ts'

/** Passwords and codes in bodies of the signed-in user's calls. */

export const secretText = z.string().check(z.minLength(1), z.maxLength(1000))
/** In place of a proof of the session (fine print 83). */
export const ownPassword = z.optional(
  secretText.check(z.describe('Needed unless the session was proved in the last five minutes')),
)
/** A code of the authenticator app, or a recovery code. */
export const code = z.string().check(z.minLength(6), z.maxLength(20))
export const ownCode = z.optional(code.check(z.describe('Needed with the password while the second factor is on')))
