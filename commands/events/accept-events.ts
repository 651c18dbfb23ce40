import {
  broughtVisitors,
  campaignHints,
  campaignsByHint,
  clickOf,
  isConversion,
  parsedEvent,
  withKnownTags,
  type ParsedEvent,
} from '#domain/events/attribution'
import { markOf, type ClickDays } from '#domain/events/confirmation'
import { readEvent, type SentEvent, type TrackedEvent } from '#domain/events/tracked-event'
import { reject, type Fault, type Rejection } from '#domain/kit/errors'
import {
  MOST_CAMPAIGNS,
  type Device,
  type EventSource,
  type EventsPort,
  type HintedCampaign,
  type NewEvent,
} from './events-port.ts'

export type IncomingEvents = {
  readonly place: { readonly spaceId: string; readonly whitelabelId: string }
  readonly source: EventSource
  /** `visitor`: who sent it, as far as it is known; events of one visitor are one unique conversion a day. */
  readonly events: readonly { readonly sent: SentEvent; readonly device: Device; readonly visitor?: string }[]
  /** False for a pixel of a page that is not one of the account's landing pages (fine print 111). */
  readonly expected?: boolean
}

export type AcceptedEvents =
  | { readonly kind: 'accepted'; readonly stored: number }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }
  /** The account has sent as many events as it may on a day. */
  | { readonly kind: 'full' }

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
  async function accept({ place, source, events, expected = true }: IncomingEvents): Promise<AcceptedEvents> {
    const instant = now()
    // A pixel sends one event, so its fields need no prefix.
    const pathOf = (i: number) => (source === 'pixel' ? '' : `events[${i}].`)
    const read = events.map(({ sent }, i) => readEvent(sent, { path: pathOf(i), now: instant, id: newId() }))
    const parsed = read.map(({ event }) => parsedEvent(event))
    const hints = [...new Set(parsed.flatMap((event) => campaignHints(event)))]
    const campaigns = hints.length === 0 ? [] : await port.campaigns(place.spaceId, hints)
    if (campaigns === null) return { kind: 'rejected', rejection: reject(2, [TOO_MANY_CAMPAIGNS]) }
    const ids = new Set(campaigns.map(({ campaign }) => campaign.id))
    const faults = read.flatMap(({ event, faults: own }, i) => [...own, ...unknownCampaign(event, ids, pathOf(i))])
    if (faults.length > 0) return { kind: 'rejected', rejection: reject(2, faults) }
    const namedBy = campaignsByHint(campaigns)
    const added = await Promise.all(
      read.map(({ event }, i) => {
        const { device = UNKNOWN_DEVICE, visitor = event.id } = events[i] ?? {}
        const address = parsed[i] ?? parsedEvent(event)
        return attributed(event, { source, device, visitor, address, campaigns: namedBy(address) })
      }),
    )
    const brought = [...new Set(added.flatMap(({ campaign_id: id }) => id ?? []))]
    const clicks: ReadonlyMap<string, ClickDays> = brought.length === 0 ? new Map() : await port.clickDays(brought)
    const stored = await port.log.add(
      place,
      added.map((event) => {
        const { campaign_id: campaignId, time } = event
        return { ...event, mark: markOf({ campaignId, time, expected }, clicks.get(campaignId ?? '') ?? []) }
      }),
    )
    return stored === null ? { kind: 'full' } : { kind: 'accepted', stored }
  }
  return { accept }
}

const UNKNOWN_DEVICE: Device = { model: null, typeKey: 2, os: '' }

const TOO_MANY_CAMPAIGNS: Fault = {
  path: 'events',
  code: 2,
  message: `The events of a call name at most ${MOST_CAMPAIGNS} campaigns: send them in several calls`,
}

function unknownCampaign({ campaign_id: id }: TrackedEvent, ids: ReadonlySet<string>, path: string): readonly Fault[] {
  return id === null || ids.has(id)
    ? []
    : [{ path: `${path}campaign_id`, code: 2, message: 'The account has no approved campaign with this id' }]
}

type Context = {
  readonly source: EventSource
  readonly device: Device
  readonly visitor: string
  readonly address: ParsedEvent
  /** Those that the event may name. */
  readonly campaigns: readonly HintedCampaign[]
}

/** The event with its campaign, and as a conversion of it when it is one. */
async function attributed(
  { conversion, ...event }: TrackedEvent,
  { source, device, visitor: sender, address, campaigns }: Context,
): Promise<Omit<NewEvent, 'mark'>> {
  // A page's address is the visitor's; what a server sends is the advertiser's own choice.
  const shown = (template: string | null) => (source === 'pixel' ? withKnownTags(event.url, template) : event.url)
  const base = { ...event, source, device_model: event.device_model ?? device.model }
  for (const { campaign, served } of campaigns) {
    const click = clickOf(campaign, address)
    if (click === null || !broughtVisitors(await served(), event.time)) continue
    const visitor = click.visitor === '' ? sender : click.visitor
    const { creativeId: creative_id, size } = click
    const dimensions = { creative_id, size, device_type_key: device.typeKey, os: device.os, country: campaign.country }
    const counts = isConversion({ conversion, name: event.name }, campaign)
    const url = shown(campaign.template)
    return { ...base, url, campaign_id: campaign.id, conversion: counts ? dimensions : null, visitor }
  }
  return { ...base, url: shown(null), campaign_id: null, conversion: null, visitor: sender }
}
