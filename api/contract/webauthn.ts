import { z } from './zod.ts'

/** Requests to browsers and their answers, as WebAuthn level 3 writes them in JSON. Fields that the product does not need are ignored. */

const bytes = (most: number) => z.string().check(z.minLength(1), z.maxLength(most), z.regex(/^[\w-]+$/))
/** At most 1,023 bytes. */
const credentialId = bytes(1364)
const clientDataJSON = bytes(10_000)
const authenticatorData = bytes(10_000)

const descriptor = z.object({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.string()) })

/** For `navigator.credentials.create`. */
export const passkeyCreation = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
  timeout: z.number(),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.boolean(),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})

/** For `navigator.credentials.get`. */
export const passkeyRequest = z.object({
  rpId: z.string(),
  challenge: z.string(),
  timeout: z.number(),
  allowCredentials: z.array(descriptor),
  userVerification: z.literal('required'),
})

/** The answer to `navigator.credentials.create`. */
export const passkeyCredential = z.object({
  id: credentialId,
  response: z.object({
    clientDataJSON,
    attestationObject: bytes(20_000),
    transports: z.optional(z.array(z.string().check(z.regex(/^[a-z-]{1,20}$/))).check(z.maxLength(10))),
  }),
})

/** The answer to `navigator.credentials.get`. */
export const passkeyAssertion = z.object({
  id: credentialId,
  response: z.object({
    clientDataJSON,
    authenticatorData,
    signature: bytes(10_000),
    userHandle: z.optional(bytes(100)),
  }),
})

export type PasskeyCreation = z.infer<typeof passkeyCreation>
export type PasskeyCredential = z.infer<typeof passkeyCredential>
