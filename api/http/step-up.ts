import type { Identity } from '#commands/identity/identity'
import { PROOF_MINUTES } from '#commands/identity/secrets'
import { Refused } from '#commands/refused'
import type { stepUpAsked } from '#contract/http'
import type { z } from '#contract/zod'
import { reject } from '#domain/kit/errors'
import type { Passkeys } from '#platform/identity/passkeys'
import type { SecondFactor } from '#platform/identity/second-factor'
import type { Sessions } from '#platform/identity/sessions'
import type { SignOnStores } from '#platform/single-sign-on/sign-on-store'

export type Person = Extract<Identity, { readonly kind: 'person' }>

export type StepUpDeps = {
  readonly sessions: Pick<Sessions, 'provedAt'>
  readonly secondFactor: Pick<SecondFactor, 'state'>
  readonly passkeys: Pick<Passkeys, 'has'>
  /** Sessions that began at an identity provider: their users may have no password. */
  readonly signOn: Pick<SignOnStores['sessions'], 'providerOf'>
  readonly now: () => string
}

const PROOF_MS = PROOF_MINUTES * 60_000

/** The instant until which a proof of this instant holds, ISO 8601. */
export const provedUntil = (provedAt: string): string => new Date(Date.parse(provedAt) + PROOF_MS).toISOString()

/**
 * Throws 401 with `data.step_up` unless the user of the session proved themself in the last five minutes (fine print 83). Read at
 * every call, never from a cache: a proof that another process stored counts at once.
 */
export function createStepUp({ sessions, secondFactor, passkeys, signOn, now }: StepUpDeps) {
  return async function requireProof({ actor, session }: Person): Promise<void> {
    const provedAt = await sessions.provedAt(session.id)
    if (provedAt !== null && provedUntil(provedAt) > now()) return
    const [factor, provider, hasPasskey] = await Promise.all([
      secondFactor.state(actor.userId),
      signOn.providerOf(session.id),
      passkeys.has({ id: actor.userId, whitelabel_id: actor.whitelabelId }),
    ])
    const asked: z.output<typeof stepUpAsked> = {
      step_up: {
        methods: [
          ...(provider === null ? (['password'] as const) : (['sign_on'] as const)),
          ...(provider === null && factor.on ? (['code'] as const) : []),
          ...(hasPasskey ? (['passkey'] as const) : []),
        ],
        ...(provider === null ? {} : { sign_on: provider }),
      },
    }
    throw new Refused(reject(401), asked)
  }
}
