import type { FastifyInstance } from 'fastify'
import { createEvents } from '#commands/events/accept-events'
import type { Device, Pixel } from '#commands/events/events-port'
import type { Actor } from '#domain/kit/access'
import { isStaff, reachOf } from '#domain/kit/access'
import { campaignNames } from '#projections/campaign/list/report-queries'
import { eventNames, listEvents, pixelKey, savePixel, sendEvents } from '#contract/events'
import type { z } from '#contract/zod'
import type { Call } from '#api/http/call'
import { authorize, homeOrChosen } from '#api/http/caller'
import type { Served } from '#api/areas/services'
import { userOf, register } from '#api/http/register'
import { periodOf } from '#api/http/period'
import { personOf } from '#api/http/person'
import { isSuspendedSpace } from '../white-label/suspended.ts'
import { accepted, refused } from '#commands/refused'
import { deviceOf } from './device.ts'
import { createEventsPort } from './port.ts'
import { tooManyToday } from './too-many-today.ts'

const PAGE_SIZE = 10
/** Calls that send events, of one caller. */
const SENDING = { limit: 600, seconds: 60 }

type SentByServer = z.output<typeof sendEvents.input>['events'][number]

/** Events by server calls, and their list. Out of reach means 1420, as for every account that a call may choose. */
export function registerEventRoutes(
  app: FastifyInstance,
  kit: Served<'accounts' | 'db' | 'facts' | 'limits' | 'security' | 'store' | 'tracked' | 'whiteLabels'>,
): void {
  const { accounts, db, guards, limits, newId, now, tracked } = kit
  const events = createEvents({ port: createEventsPort(kit), now, newId })

  async function accountFor(actor: Actor, action: 'events.read' | 'events.write', asked: string | null | undefined) {
    const account = await accounts.opened(asked ?? homeOrChosen(actor))
    authorize(actor, action, account === null ? null : placeOf(account), 1420)
    if (account === null) throw refused(1420)
    return account
  }

  /** An account, or everything in reach for staff who have not switched into one. */
  async function reachFor(actor: Actor, asked: string | null | undefined) {
    const account = await accountFor(actor, 'events.read', asked)
    const everywhere = isStaff(actor) && !asked && account.house
    if (!everywhere) return { whitelabelId: null, spaceId: account.space_id }
    return { whitelabelId: reachOf(actor, 'events.read') === 'all' ? null : actor.whitelabelId, spaceId: null }
  }

  /** Where a call's events belong. A service names the account; a bidder's credential reaches its own white-label. */
  async function placeFor({ identity }: Pick<Call, 'identity'>, asked: string | null | undefined) {
    if (identity.kind !== 'service') return placeOf(await accountFor(personOf({ identity }), 'events.write', asked))
    const account = asked ? await accounts.opened(asked) : null
    const { credential } = identity
    if (!asked) throw refused(2, [{ path: 'space_id', code: 2, message: 'Field is required.', key: 'required' }])
    if (account === null || (credential !== null && credential.whitelabelId !== account.whitelabel_id)) throw refused(1420)
    if (await isSuspendedSpace(kit, account)) throw refused(1420)
    return placeOf(account)
  }

  register(app, guards, sendEvents, async (call) => {
    const place = await placeFor(call, call.body.space_id)
    await limits.reserve([{ key: `events ${userOf(call.identity)}`, ...SENDING }])
    const sent = call.body.events.map(fromServer)
    const result = accepted(await events.accept({ place, source: 'server', events: sent }))
    if (result.kind === 'full') throw tooManyToday(now())
    return { accepted: result.stored, repeated: sent.length - result.stored }
  })

  register(app, guards, listEvents, async (call) => {
    const { space_id: asked, name, page, page_size: size, unconfirmed } = call.body
    const reach = await reachFor(personOf(call), asked)
    const shown = { reach, name: name ? name : null, unconfirmed: unconfirmed ?? false }
    const filter = { ...periodOf(call.body), ...shown, page: page ?? 0, size: size ?? PAGE_SIZE }
    const { rows, total, unconfirmed: unconfirmedSize } = await tracked.reads.page(filter)
    const names = await campaignNames(db, [...new Set(rows.flatMap(({ campaign_id: id }) => id ?? []))])
    return {
      current_page: filter.page,
      page_size: filter.size,
      total_size: total,
      unconfirmed_size: unconfirmedSize,
      data: rows.map(({ mark, ...row }) => ({
        ...row,
        unconfirmed: mark,
        campaign_name: row.campaign_id === null ? null : (names.get(row.campaign_id) ?? null),
        attributed: row.campaign_id !== null,
      })),
    }
  })

  register(app, guards, eventNames, async (call) => {
    const { space_id: asked, unconfirmed = 'false' } = call.query
    return { names: [...(await tracked.reads.names(await reachFor(personOf(call), asked), unconfirmed === 'true'))] }
  })

  register(app, guards, pixelKey, async (call) => {
    const { space_id } = await accountFor(personOf(call), 'events.read', call.query.space_id)
    return pixelOut(await tracked.keys.of(space_id))
  })

  register(app, guards, savePixel, async (call) => {
    const { space_id: asked, rotate = false, enabled = null, origins = null } = call.body
    const { space_id } = await accountFor(personOf(call), 'events.write', asked)
    const wanted = origins?.map(originOf) ?? null
    const wrong = wanted?.indexOf(null) ?? -1
    if (wrong !== -1)
      throw refused(2, [{ path: `origins[${wrong}]`, code: 2, message: 'Expected an origin like https://shop.example' }])
    const change = { rotate, enabled, origins: wanted?.flatMap((one) => one ?? []) ?? null }
    const pixel = await tracked.keys.change(space_id, change)
    const details = { rotated: rotate ? 1 : 0, enabled: pixel.enabled ? 1 : 0, origins: pixel.origins.join(' ') }
    await kit.security.record('pixel-changed', call, { space: space_id, ...details })
    return pixelOut(pixel)
  })
}

const pixelOut = ({ spaceId, key, enabled, origins }: Pixel) => ({ space_id: spaceId, key, enabled, origins: [...origins] })

/** The origin that a text names; null when it names more, or none. */
function originOf(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` ? url.origin : null
}

const placeOf = ({ space_id, whitelabel_id }: { readonly space_id: string; readonly whitelabel_id: string }) => ({
  spaceId: space_id,
  whitelabelId: whitelabel_id,
})

const UNKNOWN: Device = { model: null, typeKey: 2, os: '' }

function fromServer({ user_agent, custom_parameters, ...sent }: SentByServer) {
  const { id = null, time = null, value = null, device_model = null, url = null, campaign_id = null, conversion = null } = sent
  return {
    sent: {
      name: sent.name,
      id,
      time,
      value,
      device_model,
      url,
      campaign_id,
      conversion,
      custom_parameters: custom_parameters ?? {},
    },
    device: user_agent ? deviceOf(user_agent) : UNKNOWN,
  }
}
