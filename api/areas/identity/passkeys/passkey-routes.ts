import type { FastifyInstance } from 'fastify'
import { createOwnSecrets, fault, versionOf } from '#api/areas/identity/profile/own-secrets'
import { personOf } from '#api/http/person'
import { register } from '#api/http/register'
import { MOST_PASSKEYS } from '#commands/identity/secrets'
import { refused } from '#commands/refused'
import * as contract from '#contract/passkeys'
import type { Served } from '#api/areas/services'

/** The signed-in user's passkeys (fine print 78). Each change is a security event, and their owner gets a mail about all but a new name. */
export function registerPasskeyRoutes(
  app: FastifyInstance,
  kit: Served<'db' | 'limits' | 'passkeys' | 'people' | 'queueMail' | 'secondFactor' | 'security'>,
): void {
  const { guards, passkeys, security } = kit
  const { checkGiven, notify, ownRecord } = createOwnSecrets(kit)

  register(app, guards, contract.listPasskeys, async (call) => [...(await passkeys.list(personOf(call).userId))])
  register(app, guards, contract.beginPasskey, async (call) => {
    const person = await ownRecord(call)
    await checkGiven(person, call.body)
    return passkeys.beginAdding({ person, version: versionOf(call) }, call.whiteLabel.name)
  })
  register(app, guards, contract.addPasskey, async (call) => {
    const person = await ownRecord(call)
    const { name, credential } = call.body
    const added = await passkeys.add({ person, version: versionOf(call) }, name, credential)
    if (added === 'over')
      throw fault('credential', 'The request has expired or was answered before. Try once more.', 'passkey.over')
    if (added === 'full') throw fault('credential', `You have ${MOST_PASSKEYS} passkeys. Remove one first.`, 'passkey.full')
    if (added === 'taken') throw fault('credential', 'This passkey is added already', 'passkey.taken')
    if (added === 'wrong') throw fault('credential', 'The passkey could not be verified', 'passkey.wrong')
    await security.record('passkey-added', call, { passkey: added.id })
    await notify(person, 'passkey-added')
    return added
  })
  register(app, guards, contract.renamePasskey, async (call) => {
    if (!(await passkeys.rename(personOf(call).userId, call.params.id, call.body.name))) throw refused(131)
    return {}
  })
  register(app, guards, contract.removePasskey, async (call) => {
    const person = await ownRecord(call)
    if (!(await passkeys.remove(person.id, call.params.id))) throw refused(131)
    await security.record('passkey-removed', call, { passkey: call.params.id })
    await notify(person, 'passkey-removed')
    return {}
  })
}
