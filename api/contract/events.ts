import { MARKS } from '#domain/events/confirmation'
import { EVENT_LIMITS } from '#domain/events/tracked-event'
import { endpoint, named, page, position } from './http.ts'
import { z } from './zod.ts'

/** Events of visitors, which advertisers report by their servers and by the pixel in their pages (docs/events.md). */

const text = (most: number) => z.string().check(z.maxLength(most))
const instant = z.union([z.string(), z.number()])
const customParameters = z.record(text(EVENT_LIMITS.parameterName).check(z.minLength(1)), text(EVENT_LIMITS.parameterValue))
/** Counted before anything of them is read: a body of a megabyte can hold a hundred thousand. */
const fewCustomParameters = z.pipe(
  z.any().check(
    z.refine((sent) => typeof sent !== 'object' || sent === null || Object.keys(sent).length <= EVENT_LIMITS.parameters, {
      error: `There are at most ${EVENT_LIMITS.parameters} custom parameters`,
    }),
    z.meta({ type: 'object', additionalProperties: { type: 'string' } }),
  ),
  customParameters,
)

const sentEvent = named(
  'SentEvent',
  z.object({
    /** Such as `purchase`. */
    name: text(EVENT_LIMITS.name).check(z.minLength(1)),
    /** Unique in the account: an event with the same id counts once. Absent: the event is never taken for a repeat. */
    id: z.nullish(text(EVENT_LIMITS.id).check(z.minLength(1))),
    /** ISO 8601 or epoch milliseconds, within the last 7 days; absent for now. */
    time: z.nullish(instant),
    value: z.nullish(z.number().check(z.gte(-EVENT_LIMITS.value), z.lte(EVENT_LIMITS.value))),
    device_model: z.nullish(text(EVENT_LIMITS.deviceModel)),
    /** User agent of the visitor. Its device is stored, and it is not. */
    user_agent: z.nullish(text(1000)),
    /** Address of the page; its tags identify the campaign. Stored without user name, password and fragment. */
    url: z.nullish(text(EVENT_LIMITS.url)),
    custom_parameters: z.nullish(fewCustomParameters),
    /** The campaign that brought the visitor; absent: by the tags in `url`. */
    campaign_id: z.nullish(text(100)),
    /** Absent: by the name. */
    conversion: z.nullish(z.boolean()),
  }),
)

export const sendEvents = endpoint({
  id: 'events.send',
  reads: [],
  method: 'POST',
  path: '/v1/events',
  access: 'service',
  alsoFor: 'events.write',
  serves: 'bidder',
  summary: 'Report events of an account, all or none: a wrong event refuses the call, and its path names the event',
  body: 'json',
  input: z.object({
    /** The account. Required for services; absent: the account that the session acts in. */
    space_id: z.nullish(text(100)),
    events: z.array(sentEvent).check(z.minLength(1), z.maxLength(EVENT_LIMITS.events)),
  }),
  output: z.object({
    /** Events that are stored now. */
    accepted: z.number(),
    /** Events whose id was stored before, or stands twice in the call. */
    repeated: z.number(),
  }),
})

/** Values of the header in which the pixel says what it did: an image cannot show a refusal. */
export const PIXEL_HEADER = 'X-Placard-Event'

export const pixel = endpoint({
  id: 'events.pixel',
  reads: [],
  method: 'GET',
  path: '/v1/pixel.gif',
  access: 'public',
  summary:
    'Report one event of a page as an image of one pixel; parameters without a meaning of their own become custom parameters. The header X-Placard-Event says whether it was stored',
  query: z.looseObject({
    /** The pixel key of the account. */
    key: text(100),
    name: z._default(text(EVENT_LIMITS.name).check(z.minLength(1)), 'page_view'),
    id: z.optional(text(EVENT_LIMITS.id)),
    time: z.optional(text(40)),
    value: z.optional(text(40)),
    device_model: z.optional(text(EVENT_LIMITS.deviceModel)),
    /** Absent: the Referer of the request. */
    url: z.optional(text(EVENT_LIMITS.url)),
    campaign_id: z.optional(text(100)),
    conversion: z.optional(z.enum(['true', 'false', '1', '0'])),
  }),
  output: z.unknown(),
  raw: true,
})

const trackedEvent = named(
  'TrackedEvent',
  z.object({
    id: z.string(),
    space_id: z.string(),
    name: z.string(),
    time: z.string(),
    value: z.nullable(z.number()),
    device_model: z.nullable(z.string()),
    url: z.nullable(z.string()),
    custom_parameters: z.record(z.string(), z.string()),
    /** pixel or server. */
    source: z.enum(['pixel', 'server']),
    campaign_id: z.nullable(z.string()),
    campaign_name: z.nullable(z.string()),
    /** True when a campaign brought the visitor. */
    attributed: z.boolean(),
    /** True when the event is a conversion of the campaign. It counts once it is confirmed. */
    conversion: z.boolean(),
    /**
     * Why the event is not confirmed: a page that is no landing page of the account reported it (`origin`), or no click of its campaign was
     * delivered in the 30 days before it (`click`). Null for a confirmed one.
     */
    unconfirmed: z.nullable(z.enum(MARKS)),
  }),
)
export type TrackedEventRow = z.output<typeof trackedEvent>

const dateInput = z.nullish(instant)

export const listEvents = endpoint({
  id: 'events.list',
  reads: ['campaign-list', 'accounts'],
  method: 'POST',
  path: '/v1/events/list',
  access: 'events.read',
  summary:
    'Confirmed events of an account, or those that are not, newest first (decisions G-227, fine print 111); pages are zero-based and have ten rows unless page_size says otherwise',
  body: 'json',
  input: z.object({
    space_id: z.nullish(z.string()),
    from_date: dateInput,
    to_date: dateInput,
    name: z.nullish(text(EVENT_LIMITS.name)),
    page: z.nullish(z.int().check(z.gte(0), z.lte(1_000_000))),
    page_size: z.nullish(z.int().check(z.gte(1), z.lte(150))),
    /** True lists the events that are not confirmed, in place of the others. */
    unconfirmed: z.nullish(z.boolean()),
  }),
  output: z.extend(page(trackedEvent), {
    /** Number of matching events that are not confirmed; `total_size` has none of them unless they are asked for. */
    unconfirmed_size: z.number(),
  }),
})

const ofSpace = z.object({ space_id: z.optional(z.string()) })

export const eventNames = endpoint({
  id: 'events.names',
  reads: ['accounts'],
  method: 'GET',
  path: '/v1/events/names',
  access: 'events.read',
  summary: 'Names of the newest confirmed events of an account, or of those that are not, for a filter',
  query: z.extend(ofSpace, { unconfirmed: z.optional(z.enum(['true', 'false'])) }),
  output: z.object({ names: z.array(z.string()) }),
})

const pixelSettings = {
  space_id: z.string(),
  key: z.string(),
  /** A pixel that is off refuses every event. */
  enabled: z.boolean(),
  /** Origins of the pages that may use it. Empty: any may, and events of pages that are no landing pages of the account are not confirmed. */
  origins: z.array(z.string()),
}

export const savePixel = endpoint({
  id: 'events.savePixel',
  reads: ['accounts'],
  method: 'PUT',
  path: '/v1/events/pixel-key',
  access: 'events.write',
  summary: "Replace the key of an account's pixel, switch it off or on, or name the sites that may use it",
  body: 'json',
  input: z.object({
    space_id: z.optional(z.string()),
    /** True replaces the key; the old one is refused within 5 s. */
    rotate: z.optional(z.boolean()),
    enabled: z.optional(z.boolean()),
    origins: z.optional(z.array(text(300)).check(z.maxLength(50))),
  }),
  output: z.object({ ...pixelSettings, position }),
  write: true,
})

export const pixelKey = endpoint({
  id: 'events.pixelKey',
  reads: ['accounts'],
  method: 'GET',
  path: '/v1/events/pixel-key',
  access: 'events.read',
  summary: "The public key of an account's pixel, for the advertiser's pages",
  query: ofSpace,
  output: z.object(pixelSettings),
})

export const EVENT_ENDPOINTS = [sendEvents, pixel, listEvents, eventNames, pixelKey, savePixel]
