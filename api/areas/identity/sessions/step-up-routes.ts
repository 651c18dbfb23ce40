import type { FastifyInstance } from 'fastify'
import { createOwnSecrets, fault, versionOf } from '#api/areas/identity/profile/own-secrets'
import type { Call } from '#api/http/call'
import { register } from '#api/http/register'
import { provedUntil } from '#api/http/step-up'
import type { PersonRecord } from '#commands/identity/person'
import { Refused, refused } from '#commands/refused'
import * as contract from '#contract/step-up'
import type { SignInLimits } from './sign-in-limits.ts'
import type { Served } from '#api/areas/services'

/**
 * Proofs that the user of a session is still there (fine print 83). Wrong ones count as failed sign-ins of the user's address or
 * passkey from this network. Passwords and codes, which a stolen session could guess, are also limited to ten wrong ones in 15 minutes
 * for the user, over all sessions and networks.
 */
export function registerStepUpRoutes(
  app: FastifyInstance,
  kit: Served<'db' | 'limits' | 'passkeys' | 'people' | 'queueMail' | 'secondFactor' | 'security' | 'sessions'>,
  limits: SignInLimits,
): void {
  const { guards, passkeys, secondFactor, security, sessions } = kit
  const { checkCode, checkPassword, ownRecord } = createOwnSecrets(kit)

  async function proved(call: Call, details: { readonly by?: 'passkey' } = {}) {
    const session = sessionOf(call)
    const before = await sessions.provedAt(session)
    const at = await sessions.prove(session)
    // Another proof while one holds gives nothing, and would hide others.
    if (before === null || provedUntil(before) <= at) await security.record('proved', call, details)
    return { proved_until: provedUntil(at) }
  }

  /** Runs a check of a secret of this user; a wrong one keeps its reservation, and is a security event. */
  async function attempt(person: PersonRecord, network: string, reserved: Reservation, check: () => Promise<unknown>) {
    let isWrong = false
    try {
      await check()
    } catch (error) {
      isWrong = error instanceof Refused
      if (isWrong) security.proofFailed(person, network)
      throw error
    } finally {
      if (!isWrong) await reserved.release()
    }
  }

  register(app, guards, contract.prove, async (call) => {
    const person = await ownRecord(call)
    const { password, code = '' } = call.body
    const reserved = await limits.ofPassword(person.whitelabel_id, person.email, call.network)
    await attempt(person, call.network, reserved, async () => {
      await checkPassword(person, password, 'password')
      if (!(await secondFactor.state(person.id)).on) return
      await checkCode(person, code).catch(async (error: unknown) => {
        if (error instanceof Refused && code !== '') await limits.noticeWrongCode(person)
        throw error
      })
    })
    return proved(call)
  })

  register(app, guards, contract.beginPasskeyProof, async (call) => {
    const person = await ownRecord(call)
    return passkeys.beginProof(person.whitelabel_id, provingOf(call, person))
  })

  register(app, guards, contract.proveByPasskey, async (call) => {
    const person = await ownRecord(call)
    const { whitelabel_id: whitelabelId } = person
    const { credential } = call.body
    const reserved = await limits.ofPasskey(whitelabelId, credential.id, person, call.network)
    await attempt(person, call.network, reserved, async () => {
      const passkey = await passkeys.find(whitelabelId, credential.id)
      // A passkey of another user is as wrong as an unknown one.
      const isOwn = passkey !== null && passkey.personId === person.id
      const proof = isOwn
        ? await passkeys.verify(passkey, { whitelabelId, proving: provingOf(call, person) }, credential)
        : 'wrong'
      if (proof === 'right') return
      if (proof === 'copied' && passkey !== null) await security.passkeyCopied(person, call.network, passkey.id)
      throw proof === 'over'
        ? fault('credential', 'The request has expired or was answered before. Try once more.', 'passkey.over')
        : fault('credential', 'The passkey could not be verified', 'passkey.wrong')
    })
    return proved(call, { by: 'passkey' })
  })
}

type Reservation = { readonly release: () => Promise<unknown> }

function sessionOf({ identity }: Call): string {
  if (identity.kind !== 'person') throw refused(401)
  return identity.session.id
}

const provingOf = (call: Call, person: PersonRecord) => ({
  personId: person.id,
  session: sessionOf(call),
  version: versionOf(call),
})
