import { FORM_SENTENCES } from '#domain/registration/form'
import { isPersonName } from '#domain/kit/validators'
import { endpoint, named, position } from './http.ts'
import { code, ownCode, ownPassword, secretText } from './own-secrets.ts'
import { signed } from './session.ts'
import { z } from './zod.ts'

/** The signed-in user's own record, credentials and sessions (platform.md §3 and §7, decisions G-171, G-187, G-188, G-204, G-206). */

const done = z.object({ position })
const own = { access: 'profile.own', reads: [] } as const
const name = z.string().check(z.trim(), z.minLength(2), z.maxLength(300), z.refine(isPersonName, FORM_SENTENCES.plainName))

/** Mails to the user; all are sent, unless switched off. Mails about security cannot be switched off. */
const notifications = z.object({
  balance: z.optional(z.boolean().check(z.describe('A low balance of the account'))),
  moderation: z.optional(z.boolean().check(z.describe('A decision about a campaign of the account'))),
})

export const saveProfile = endpoint({
  ...own,
  id: 'profile.save',
  method: 'PUT',
  path: '/v1/user/:id',
  summary: "Save the signed-in user's own record; the id is their own, or `me`",
  params: z.object({ id: z.string() }),
  body: 'json',
  input: z.object({
    first_name: z.optional(name),
    last_name: z.optional(name),
    phone: z.nullish(z.string().check(z.maxLength(40))),
    language_key: z.optional(z.literal([1, 2])),
    user_type_key: z.optional(z.literal([1, 2])),
    notifications: z.optional(notifications),
  }),
  output: done,
  write: true,
})

export const changePassword = endpoint({
  ...own,
  id: 'profile.changePassword',
  perDay: { of: 'person', name: 'secrets', limit: 25 },
  method: 'POST',
  path: '/v1/user/change-password',
  summary: 'Change the password; ends every session, and answers the tokens of a new one',
  body: 'json',
  input: z.object({ oldPassword: secretText, newPassword: secretText }),
  output: z.extend(signed, { position }),
  write: true,
  secret: true,
  session: 'opens',
})

const session = named(
  'Session',
  z.object({
    id: z.string(),
    current: z.boolean(),
    started_at: z.string(),
    used_at: z.string(),
    expires_at: z.string(),
    browser: z.nullable(z.string()),
    system: z.nullable(z.string()),
    network: z.nullable(z.string().check(z.describe('The /24 or /64 of the address'))),
  }),
)

export const listSessions = endpoint({
  ...own,
  id: 'profile.sessions',
  method: 'GET',
  path: '/v1/user/sessions',
  summary: "The signed-in user's open sessions, the last used first",
  output: z.array(session),
})

export const endSession = endpoint({
  ...own,
  id: 'profile.endSession',
  method: 'DELETE',
  path: '/v1/user/sessions/:id',
  summary: "End one of the signed-in user's sessions",
  params: z.object({ id: z.string() }),
  output: done,
  write: true,
})

export const endOtherSessions = endpoint({
  ...own,
  id: 'profile.endOtherSessions',
  method: 'POST',
  path: '/v1/user/sessions/end-others',
  summary: "End all of the signed-in user's sessions but this one",
  output: z.object({ ended: z.number(), position }),
  write: true,
})

export const listSignIns = endpoint({
  ...own,
  id: 'profile.signIns',
  method: 'GET',
  path: '/v1/user/sign-ins',
  summary: 'The newest 50 events about the security of the signed-in user: sign-ins, failed ones, changed credentials',
  output: z.array(
    z.object({
      at: z.string(),
      type: z.string(),
      network: z.nullable(z.string()),
      count: z.number(),
      details: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
    }),
  ),
})

export const readSecondFactor = endpoint({
  ...own,
  id: 'profile.secondFactor',
  method: 'GET',
  path: '/v1/user/second-factor',
  summary: 'Whether the second factor is on, and how many recovery codes are left',
  output: z.object({ on: z.boolean(), recovery_codes_left: z.number() }),
})

export const beginSecondFactor = endpoint({
  ...own,
  id: 'profile.beginSecondFactor',
  method: 'POST',
  path: '/v1/user/second-factor/begin',
  stepUp: 'session-or-password',
  summary: 'A secret for an authenticator app (RFC 6238); it counts once its first code is confirmed',
  body: 'json',
  input: z.object({ password: ownPassword }),
  output: z.object({ secret: z.string(), url: z.string(), position }),
  write: true,
  secret: true,
})

const recoveryCodes = z.object({ recovery_codes: z.array(z.string()), position })

export const confirmSecondFactor = endpoint({
  ...own,
  id: 'profile.confirmSecondFactor',
  perDay: { of: 'person', name: 'secrets', limit: 25 },
  method: 'POST',
  path: '/v1/user/second-factor/confirm',
  summary: 'Switch the second factor on with the first code of the app; answers the recovery codes once',
  body: 'json',
  input: z.object({ code }),
  output: recoveryCodes,
  write: true,
  secret: true,
})

export const renewRecoveryCodes = endpoint({
  ...own,
  id: 'profile.renewRecoveryCodes',
  perDay: { of: 'person', name: 'secrets', limit: 25 },
  method: 'POST',
  path: '/v1/user/second-factor/recovery-codes',
  stepUp: 'session-or-password',
  summary: 'New recovery codes in place of the old ones; answered once',
  body: 'json',
  input: z.object({ password: ownPassword, code: ownCode }),
  output: recoveryCodes,
  write: true,
  secret: true,
})

export const removeSecondFactor = endpoint({
  ...own,
  id: 'profile.removeSecondFactor',
  method: 'POST',
  path: '/v1/user/second-factor/remove',
  stepUp: 'session-or-password',
  summary: 'Switch the second factor off',
  body: 'json',
  input: z.object({ password: ownPassword, code: ownCode }),
  output: done,
  write: true,
})

const pixels = z.coerce.number().check(z.int(), z.gte(0), z.lte(20_000))

export const savePicture = endpoint({
  ...own,
  id: 'profile.savePicture',
  method: 'POST',
  path: '/v1/user/profile/image',
  summary: "The signed-in user's picture: an image under 500,000 bytes, of which the given square is kept, else the middle one",
  body: 'multipart',
  query: z.object({ x: z.optional(pixels), y: z.optional(pixels), size: z.optional(pixels) }),
  output: z.object({ picture_id: z.string(), position }),
  write: true,
})

export const removePicture = endpoint({
  ...own,
  id: 'profile.removePicture',
  method: 'DELETE',
  path: '/v1/user/profile/image',
  summary: "Remove the signed-in user's picture",
  output: done,
  write: true,
})

export const readPicture = endpoint({
  id: 'profile.picture',
  method: 'GET',
  path: '/v1/user/profile/image/:id',
  access: 'signed-in',
  summary: 'The picture of a user, 256 pixels square',
  params: z.object({ id: z.string() }),
  output: z.unknown(),
  raw: true,
  reads: [],
})

export const PROFILE_ENDPOINTS = [
  saveProfile,
  changePassword,
  listSessions,
  endSession,
  endOtherSessions,
  listSignIns,
  readSecondFactor,
  beginSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  removeSecondFactor,
  savePicture,
  removePicture,
  readPicture,
]
