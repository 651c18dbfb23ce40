import type { FastifyInstance } from 'fastify'
import { mayEver } from '../../../domain/kit/access.ts'
import { readSettings, saveSettings } from '../../contract/whitelabel-settings.ts'
import type { Call } from '../../kit/call.ts'
import { personOf } from '../../kit/person.ts'
import { register, type Doorkeepers } from '../../kit/register.ts'
import { refused } from '../../kit/refused.ts'
import type { WhitelabelSettingsStore } from './whitelabel-settings.ts'

/** Settings of the caller's own white-label. */
export function registerSettingsRoutes(app: FastifyInstance, doors: Doorkeepers, settings: WhitelabelSettingsStore): void {
  const labelOf = (call: Pick<Call, 'identity'>): string => {
    const actor = personOf(call)
    if (!mayEver(actor, 'whitelabel.customise')) throw refused(3)
    return actor.whitelabelId
  }
  register(app, doors, readSettings, async (call) => settings.read(labelOf(call)))
  register(app, doors, saveSettings, async (call) => {
    await settings.write(labelOf(call), call.body)
    return call.body
  })
}
