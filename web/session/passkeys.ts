import { beginPasskeySignIn, signInByPasskey } from '#contract/session'
import { beginPasskeyProof, proveByPasskey } from '#contract/step-up'
import type { PasskeyCreation, PasskeyCredential } from '#contract/webauthn'
import { call } from '@/data/client'
import type { Grant } from './token-store.ts'

// Loaded when it is used: most people sign in without it.
const loadLibrary = () => import('@simplewebauthn/browser')

/** The library has its own name for what browsers throw; the name of the error stays. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '')

/** Whether the browser made no passkey because it holds one of this user already. */
export const isKnownDevice = (error: unknown): boolean => nameOf(error) === 'InvalidStateError'
/** Whether the user or the browser gave up. */
export const isGivenUp = (error: unknown): boolean =>
  ['NotAllowedError', 'AbortError', 'NotSupportedError', 'SecurityError', 'ConstraintError', 'UnknownError'].includes(
    nameOf(error),
  )

/** Whether passkeys work here: in browsers that have them, and on hosts with a name. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && !/^[\d.]+$|:/.test(globalThis.location.hostname)

/** Asks the user for a passkey and signs in by it; `challenge` is that of a second step. */
export async function enterByPasskey(challenge?: string): Promise<Grant> {
  const step = challenge === undefined ? {} : { challenge }
  const [optionsJSON, { startAuthentication }] = await Promise.all([call(beginPasskeySignIn, { body: step }), loadLibrary()])
  const credential = await startAuthentication({ optionsJSON })
  return call(signInByPasskey, { body: { ...step, credential } })
}

/** Asks the user of the session for one of their passkeys, as a proof that they are still there. */
export async function proveWithPasskey(): Promise<void> {
  const [optionsJSON, { startAuthentication }] = await Promise.all([call(beginPasskeyProof), loadLibrary()])
  await call(proveByPasskey, { body: { credential: await startAuthentication({ optionsJSON }) } })
}

/** Asks the user for a new passkey. */
export async function makePasskey(optionsJSON: PasskeyCreation): Promise<PasskeyCredential> {
  const { startRegistration } = await loadLibrary()
  return startRegistration({ optionsJSON })
}
