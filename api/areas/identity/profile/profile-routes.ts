import type { PersonRecord } from '#commands/identity/person'
import type { FastifyInstance } from 'fastify'
import { UAParser } from 'ua-parser-js'
import { MOST_PASSWORD_LENGTH, PASSWORD_TEXTS, passwordFault, type PasswordFault } from '#domain/account/password'
import { isPhone } from '#domain/kit/validators'
import * as contract from '#contract/profile'
import { IMAGE_LIMIT } from '#commands/files/media'
import type { Served } from '#api/areas/services'
import { createOwnSecrets, fault, refuseWithoutPassword, type GivenSecrets } from './own-secrets.ts'
import { theFile } from '#api/http/multipart'
import { personOf } from '#api/http/person'
import { clientOf } from '#api/http/client'
import { register } from '#api/http/register'
import { refused } from '#commands/refused'
import type { Profiles } from '#platform/identity/profiles'

/** Side of a stored picture, pixels. */
const PICTURE = 256
const MOST_SIGN_INS = 50

/** The signed-in user's own record, password, second factor, sessions and picture. */
export function registerProfileRoutes(
  app: FastifyInstance,
  kit: Served<
    'db' | 'limits' | 'media' | 'people' | 'personal' | 'queueMail' | 'secondFactor' | 'security' | 'sessions' | 'whiteLabels'
  >,
  profiles: Profiles,
): void {
  const { db, guards, media, people, secondFactor, security, sessions } = kit

  const { checkCode, checkPassword, limited, notify, ownRecord } = createOwnSecrets(kit)

  /** The secrets of a call that changes a second factor, which is on. */
  async function checkBoth(person: PersonRecord, { password, code = '' }: GivenSecrets): Promise<void> {
    if (password === undefined) {
      if (!(await secondFactor.state(person.id)).on) throw refused(3)
      return
    }
    await checkPassword(person, password, 'password')
    await checkCode(person, code)
  }

  const refuseOff = refuseWithoutPassword(kit)

  register(app, guards, contract.saveProfile, async (call) => {
    const actor = personOf(call)
    if (call.params.id !== 'me' && call.params.id !== actor.userId) throw refused(6)
    const { phone } = call.body
    if (typeof phone === 'string' && phone !== '' && !isPhone(phone)) throw fault('phone', 'A phone number has 7 to 15 digits')
    const changed = await profiles.save(actor.userId, { ...call.body, phone: phone === '' ? null : phone })
    if (changed.length > 0) await security.record('profile-changed', call, { fields: changed.join(', ') })
    return {}
  })

  register(app, guards, contract.changePassword, async (call, reply) => {
    const person = await ownRecord(call)
    await refuseOff(person)
    const { oldPassword, newPassword } = call.body
    await checkPassword(person, oldPassword, 'oldPassword')
    const found: PasswordFault | null =
      newPassword.length > MOST_PASSWORD_LENGTH ? 'weak' : passwordFault(newPassword, person, kit.people.isCommonPassword)
    if (found === null && newPassword === oldPassword) throw fault('newPassword', PASSWORD_TEXTS.same, 'password.same')
    if (found !== null) throw fault('newPassword', PASSWORD_TEXTS[found], `password.${found}`)
    const spaceId = personOf(call).spaceId
    // The old password is no code: with a second factor the new session is proved as far as the old one is.
    const { on } = await secondFactor.state(person.id)
    const starting =
      on && call.identity.kind === 'person'
        ? { spaceId, provedAt: await sessions.provedAt(call.identity.session.id) }
        : { spaceId }
    // Ends every session (migration 0150), also those that started meanwhile; this caller gets a new one.
    await db.transaction().execute(async (tx) => {
      await people.setPassword(person.id, newPassword, tx)
      await notify(person, 'password-changed', {}, tx)
    })
    return sessions.signIn(await ownRecord(call), clientOf(call, reply), starting)
  })

  register(app, guards, contract.listSessions, async (call) => {
    const actor = personOf(call)
    const current = call.identity.kind === 'person' ? call.identity.session.id : ''
    const rows = await sessions.list(actor.userId)
    return rows.map(({ user_agent, network, ...row }) => ({
      ...row,
      ...programOf(user_agent),
      network: network || null,
      current: row.id === current,
    }))
  })
  register(app, guards, contract.endSession, async (call) => {
    if (!(await sessions.end(personOf(call).userId, call.params.id))) throw refused(131)
    await security.record('session-ended', call)
    return {}
  })
  register(app, guards, contract.endOtherSessions, async (call) => {
    const current = call.identity.kind === 'person' ? call.identity.session.id : ''
    const ended = await sessions.endOthers(personOf(call).userId, current)
    await security.record('session-ended', call, { count: ended })
    return { ended }
  })
  register(app, guards, contract.listSignIns, async (call) => {
    const rows = await security.ofPerson(personOf(call).userId, MOST_SIGN_INS)
    return Promise.all(
      rows.map(async ({ at, type, count, details, client_network: network }) => ({
        at,
        type,
        count,
        details: details as Record<string, string | number | null>,
        network: network === null ? null : await kit.personal.open(network),
      })),
    )
  })

  register(app, guards, contract.readSecondFactor, async (call) => secondFactor.state(personOf(call).userId))
  register(app, guards, contract.beginSecondFactor, async (call) => {
    const person = await ownRecord(call)
    const { password } = call.body
    if (password !== undefined) await checkPassword(person, password, 'password')
    const secret = await secondFactor.begin(person.id)
    if (secret === null) throw refused(3)
    return { secret, url: secondFactor.urlOf(secret, call.whiteLabel.name, person.email) }
  })
  register(app, guards, contract.confirmSecondFactor, async (call) => {
    const person = await ownRecord(call)
    const codes = await limited(person, 'code', () => secondFactor.confirm(person.id, call.body.code))
    await security.record('second-factor-on', call)
    await notify(person, 'second-factor-on')
    return { recovery_codes: [...codes] }
  })
  register(app, guards, contract.renewRecoveryCodes, async (call) => {
    const person = await ownRecord(call)
    await checkBoth(person, call.body)
    await security.record('recovery-codes-renewed', call)
    await notify(person, 'recovery-codes-renewed')
    return { recovery_codes: [...(await secondFactor.renewRecoveryCodes(person.id))] }
  })
  register(app, guards, contract.removeSecondFactor, async (call) => {
    const person = await ownRecord(call)
    await checkBoth(person, call.body)
    await secondFactor.remove(person.id)
    await security.record('second-factor-off', call)
    await notify(person, 'second-factor-off')
    return {}
  })

  register(app, guards, contract.savePicture, async (call, reply) => {
    const actor = personOf(call)
    const { bytes, cut } = await theFile(reply.request, IMAGE_LIMIT)
    if (cut || bytes.length >= IMAGE_LIMIT) throw refused(8)
    const image = await media.images.inspect(bytes)
    if (image === null || 'fault' in image)
      throw fault('file', 'The file is not an image that can be used: JPG, PNG, GIF or WebP')
    const { x = null, y = null, size = null } = call.query
    const picked = x === null || y === null || size === null ? null : { x, y, size }
    if (picked !== null && (picked.size < 1 || picked.x + picked.size > image.width || picked.y + picked.size > image.height))
      throw fault('size', 'The square lies outside the image')
    const square = await media.images.square(image.bytes, picked, PICTURE)
    const picture_id = await profiles.savePicture(actor.userId, { content_type: square.contentType, bytes: square.bytes })
    return { picture_id }
  })
  register(app, guards, contract.removePicture, async (call) => {
    await profiles.removePicture(personOf(call).userId)
    return {}
  })
  register(app, guards, contract.readPicture, async (call, reply) => {
    const picture = await profiles.picture(call.params.id)
    if (picture === null) throw refused(6)
    return reply
      .header('Content-Type', picture.content_type)
      .header('Cache-Control', 'private, max-age=86400, immutable')
      .header('X-Content-Type-Options', 'nosniff')
      .header('Content-Security-Policy', 'sandbox')
      .send(picture.bytes)
  })
}

/** The browser and the system of a User-Agent, as far as it names them. */
function programOf(userAgent: string | null): { readonly browser: string | null; readonly system: string | null } {
  const { browser, os } = new UAParser(userAgent ?? '').getResult()
  const version = browser.version?.split('.')[0]
  return {
    browser: browser.name === undefined ? null : [browser.name, version].filter(Boolean).join(' '),
    system: os.name === undefined ? null : [os.name, os.version].filter(Boolean).join(' '),
  }
}
