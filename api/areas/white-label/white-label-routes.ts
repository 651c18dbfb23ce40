import type { FastifyInstance } from 'fastify'
import { mayEver } from '../../../domain/kit/access.ts'
import { readSettings, saveSettings, whitelabelInfo } from '../../contract/white-label.ts'
import type { Call } from '../../kit/call.ts'
import { personOf } from '../../kit/person.ts'
import type { HttpKit } from '../../kit/kit.ts'
import { register } from '../../kit/register.ts'
import { refused } from '../../kit/refused.ts'

/** The white-label of the host, and the settings of the caller's own white-label. */
export function registerWhiteLabelRoutes(app: FastifyInstance, kit: HttpKit): void {
  const { config, guards, whiteLabelSettings: settings } = kit
  register(app, guards, whitelabelInfo, async ({ whiteLabel }) => ({
    ...whiteLabel,
    file_id: null,
    audio_ads: config.audioAds,
    whitelabel_settings: {
      term_of_service_url: null,
      company_logo: null,
      primary_color: null,
      secondary_color: null,
      warning_color: null,
      gauge_color: null,
    },
  }))

  const labelOf = (call: Pick<Call, 'identity'>): string => {
    const actor = personOf(call)
    if (!mayEver(actor, 'whitelabel.customise')) throw refused(3)
    return actor.whitelabelId
  }
  register(app, guards, readSettings, async (call) => settings.read(labelOf(call)))
  register(app, guards, saveSettings, async (call) => {
    await settings.write(labelOf(call), call.body)
    return call.body
  })
}
