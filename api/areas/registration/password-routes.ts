import { PERSON_STATUS } from '#domain/registration/person-status'
import type { FastifyInstance } from 'fastify'
import { passwordFault, PASSWORD_TEXTS } from '#domain/account/password'
import { isEmail } from '#domain/kit/validators'
import { keepsPassword } from '#domain/single-sign-on/admission'
import { finishReset, startReset } from '#contract/registration'
import type { Served } from '#api/areas/services'
import { register } from '#api/http/register'
import { Refused, refused } from '#commands/refused'
import { reject } from '#domain/kit/errors'
import { mayHavePassword, refuseWithoutPassword } from '#api/areas/identity/profile/own-secrets'

/** Requests for a new password, by what they share. */
const PER_NETWORK = { limit: 30, seconds: 3600 }
const PER_ADDRESS = { limit: 5, seconds: 3600 }
const TOTAL = { limit: 300, seconds: 60 }
const KEYS = { limit: 120, seconds: 60 }

/** Forgotten passwords (decisions G-172, G-175, G-178). */
export function registerPasswordRoutes(
  app: FastifyInstance,
  kit: Served<'db' | 'fingerprint' | 'limits' | 'mailKeys' | 'people' | 'queueMail' | 'whiteLabels'>,
): void {
  const { db, fingerprint, guards, limits, mailKeys, newId, now, people, queueMail } = kit

  const refuseOff = refuseWithoutPassword(kit)

  register(app, guards, startReset, async ({ body, whiteLabel, network }) => {
    const address = body.trim().toLowerCase()
    await limits.reserve([
      { key: `reset network ${fingerprint(network)}`, ...PER_NETWORK },
      { key: `reset address ${fingerprint(`${whiteLabel.id} ${address}`)}`, ...PER_ADDRESS },
      { key: 'reset', ...TOTAL },
    ])
    const instead = await people.insteadOfPassword(whiteLabel.id, address)
    const person = await people.ofAddress(whiteLabel.id, address)
    // Owners keep their password (fine print 84); most people whom a directory made have none (85).
    const isOff =
      person === null ? instead !== null : (instead !== null && !keepsPassword(person)) || !(await mayHavePassword(kit, person))
    // Known or not, the address is queued; the sender drops it when it belongs to no active user.
    if (isEmail(address) && !isOff)
      await queueMail(db, { id: newId(), whitelabelId: whiteLabel.id, to: { address }, template: 'password-reset', data: {} })
    // The same answer for every address of the domain: it tells nothing about people.
    if (instead !== null) throw new Refused(reject(164), { sign_on: instead })
    return {}
  })

  register(app, guards, finishReset, async ({ body, network }) => {
    await limits.reserve([{ key: `token ${fingerprint(network)}`, ...KEYS }])
    const found = await mailKeys.find(body.key, 'reset')
    const person = found === null ? null : await people.find(found.personId)
    if (found === null || person === null || found.state === 'used' || person.status_key !== PERSON_STATUS.active)
      throw refused(5)
    if (found.state === 'expired') throw refused(4)
    await refuseOff(person)
    const refusal = passwordFault(body.newPassword, person, people.isCommonPassword)
    const wrong = refusal ?? ((await people.hasPassword(person.id, body.newPassword)) ? 'same' : null)
    if (wrong !== null)
      throw refused(2, [{ path: 'newPassword', code: 2, message: PASSWORD_TEXTS[wrong] }], PASSWORD_TEXTS[wrong])
    const at = now()
    await db.transaction().execute(async (tx) => {
      if (!(await mailKeys.use(body.key, 'reset', tx))) throw refused(5)
      // Ends every session of the person (migration 0150).
      await people.setPassword(person.id, body.newPassword, tx)
      await queueMail(tx, {
        id: newId(),
        whitelabelId: person.whitelabel_id,
        to: { personId: person.id },
        template: 'password-changed',
        data: { at },
      })
    })
    return {}
  })
}
