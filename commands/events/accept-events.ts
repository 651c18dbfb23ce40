import { broughtVisitors, campaignHints, clickOf, isConversion } from '../../domain/events/attribution.ts'
import { readEvent, type SentEvent, type TrackedEvent } from '../../domain/events/tracked-event.ts'
import { reject, type Fault, type Rejection } from '../../domain/kit/errors.ts'
import type { Device, EventSource, EventsPort, HintedCampaign, NewEvent } from './events-port.ts'

export type IncomingEvents = {
  readonly place: { readonly spaceId: string; readonly whitelabelId: string }
  readonly source: EventSource
  readonly events: readonly { readonly sent: SentEvent; readonly device: Device }[]
}

export type AcceptedEvents =
  | { readonly kind: 'accepted'; readonly stored: number }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }

export type EventsDeps = {
  readonly port: EventsPort
  /** Business time, ISO 8601 UTC. */
  readonly now: () => string
  readonly newId: () => string
}

/**
 * Accepts events of an account, whole or not at all: a wrong event refuses the call with code 2 and its path, `events[3].url`.
 * An event id counts once in an account, however often it is sent.
 */
export function createEvents({ port, now, newId }: EventsDeps) {
  async function accept({ place, source, events }: IncomingEvents): Promise<AcceptedEvents> {
    const instant = now()
    // A pixel sends one event, so its fields need no prefix.
    const pathOf = (i: number) => (source === 'pixel' ? '' : `events[${i}].`)
    const read = events.map(({ sent }, i) => readEvent(sent, { path: pathOf(i), now: instant, id: newId() }))
    const hints = [...new Set(read.flatMap(({ event }) => campaignHints(event)))]
    const campaigns = hints.length === 0 ? [] : await port.campaigns(place.spaceId, hints)
    const faults = read.flatMap(({ event, faults: own }, i) => [...own, ...unknownCampaign(event, campaigns, pathOf(i))])
    if (faults.length > 0) return { kind: 'rejected', rejection: reject(2, faults) }
    const added = await Promise.all(
      read.map(({ event }, i) => attributed(event, { source, device: events[i]?.device ?? UNKNOWN_DEVICE, campaigns })),
    )
    return { kind: 'accepted', stored: await port.log.add(place, added) }
  }
  return { accept }
}

const UNKNOWN_DEVICE: Device = { model: null, typeKey: 2, os: '' }

function unknownCampaign(
  { campaign_id: id }: TrackedEvent,
  campaigns: readonly HintedCampaign[],
  path: string,
): readonly Fault[] {
  return id === null || campaigns.some(({ state }) => state.id === id)
    ? []
    : [{ path: `${path}campaign_id`, code: 2, message: 'The account has no approved campaign with this id' }]
}

type Context = { readonly source: EventSource; readonly device: Device; readonly campaigns: readonly HintedCampaign[] }

/** The event with its campaign, and as a conversion of it when it is one. */
async function attributed({ conversion, ...event }: TrackedEvent, { source, device, campaigns }: Context): Promise<NewEvent> {
  const base = { ...event, source, device_model: event.device_model ?? device.model }
  for (const { state, served } of campaigns) {
    const click = clickOf(state, event)
    if (click === null || !broughtVisitors(await served(), event.time)) continue
    const visitor = click.visitor === '' ? event.id : click.visitor
    const { creativeId: creative_id, size } = click
    const dimensions = { creative_id, size, device_type_key: device.typeKey, os: device.os, country: state.head.country ?? '' }
    const counts = isConversion({ conversion, name: event.name }, state.head)
    return { ...base, campaign_id: state.id, conversion: counts ? dimensions : null, visitor }
  }
  return { ...base, campaign_id: null, conversion: null, visitor: event.id }
}
