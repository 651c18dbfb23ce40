import type { TaggedCampaign } from '#domain/events/attribution'
import type { Conversion, ConversionDimensions } from '#domain/events/conversion-fact'
import type { ClickDays, Mark } from '#domain/events/confirmation'
import type { TrackedEvent } from '#domain/events/tracked-event'
import type { Fact } from '#domain/delivery/batch'

/** Most campaigns that the events of one call may name. Each event belongs to one, and there are 500 of them. */
export const MOST_CAMPAIGNS = 1000

/** Dependencies of commands about tracked events. The composition root implements it. */
export type EventsPort = {
  readonly log: TrackedEvents
  /** Approved campaigns of an account with one of these ids or names; null for more than `MOST_CAMPAIGNS`. */
  readonly campaigns: (spaceId: string, hints: readonly string[]) => Promise<readonly HintedCampaign[] | null>
  /** Days of delivered clicks; none while they cannot be read, which marks events until they can (fine print 111). */
  readonly clickDays: (campaignIds: readonly string[]) => Promise<ReadonlyMap<string, ClickDays>>
}

export type HintedCampaign = {
  readonly campaign: TaggedCampaign
  /** When it served, oldest first; `to` is null while it serves. ISO 8601. */
  readonly served: () => Promise<readonly { readonly from: string; readonly to: string | null }[]>
}

/** Facts about the sender's device, by itself. */
export type Device = { readonly model: string | null; readonly typeKey: number; readonly os: string }

export type EventSource = 'pixel' | 'server'

export type NewEvent = Omit<TrackedEvent, 'conversion'> & {
  readonly source: EventSource
  /** Set when the event is a conversion of its campaign. */
  readonly conversion: ConversionDimensions | null
  /** Equal for events of one visitor. */
  readonly visitor: string
  /** Why it is not confirmed (fine print 111). */
  readonly mark: Mark | null
}

/** Stored events. An id is stored once in an account. */
export type TrackedEvents = {
  /** Stores all events or none; returns how many of them were new, or null when the account has no room for them on this day. */
  readonly add: (
    place: { readonly spaceId: string; readonly whitelabelId: string },
    events: readonly NewEvent[],
  ) => Promise<number | null>
  /** Accounts of the conversions that no batch counts yet and that wait longest, at most so many of them, but for these accounts. */
  readonly uncounted: (limit: number, except: readonly string[]) => Promise<readonly string[]>
  /**
   * Moves conversions of an account that no batch counts yet into one batch of the delivery inbox, in one transaction: each conversion is in exactly
   * one batch, whatever runs at the same time. Null when there is none.
   */
  readonly gather: (spaceId: string, limit: number, toFact: (conversion: Conversion) => Fact) => Promise<ConversionBatch | null>
  /** Campaigns whose events wait for a click, in the order of their ids, from after this one on. */
  readonly unclicked: (after: string, limit: number) => Promise<readonly string[]>
  /** Those of these campaigns with an event that these clicks confirm. */
  readonly confirmable: (clicks: ReadonlyMap<string, ClickDays>) => Promise<readonly string[]>
  /**
   * Takes the mark from at most so many events that these clicks confirm, in one transaction. What their conversions added to the facts is
   * taken back in a batch of the delivery inbox, null without any, and they are gathered again.
   */
  readonly confirm: (
    campaignId: string,
    clicks: ClickDays,
    limit: number,
    toFact: (conversion: Omit<Conversion, 'unique' | 'unconfirmed'>) => Fact,
  ) => Promise<{ readonly confirmed: number; readonly batch: ConversionBatch | null }>
}

export type ConversionBatch = { readonly id: string; readonly facts: readonly Fact[] }

/** Events of an account, or of all accounts of a white-label; of everything for neither. */
export type EventReach = { readonly whitelabelId: string | null; readonly spaceId: string | null }

export type EventRow = {
  readonly id: string
  readonly space_id: string
  readonly name: string
  /** ISO 8601 UTC. */
  readonly time: string
  readonly value: number | null
  readonly device_model: string | null
  readonly url: string | null
  readonly custom_parameters: Readonly<Record<string, string>>
  readonly source: EventSource
  readonly campaign_id: string | null
  /** True for a conversion of its campaign. */
  readonly conversion: boolean
  readonly mark: Mark | null
}

export type EventFilter = {
  readonly reach: EventReach
  /** Instants, ISO 8601, both inclusive; null is open. */
  readonly from: string | null
  readonly to: string | null
  readonly name: string | null
  /** True for events that are not confirmed, false for those that are. */
  readonly unconfirmed: boolean
  /** Counts from zero. */
  readonly page: number
  readonly size: number
}

/** Reads of stored events: they see an event as soon as the call that sent it has returned. */
export type EventReads = {
  /** One page, newest first, the number of all matches, and of those that would match if they were not confirmed. */
  readonly page: (
    filter: EventFilter,
  ) => Promise<{ readonly rows: readonly EventRow[]; readonly total: number; readonly unconfirmed: number }>
  /** Names of the newest events that are confirmed, or of those that are not, in order of the alphabet. */
  readonly names: (reach: EventReach, unconfirmed: boolean) => Promise<readonly string[]>
  /** Removes at most `limit` events older than an instant; returns how many. Their conversions stay in the facts. */
  readonly purge: (before: string, limit: number) => Promise<number>
}

/**
 * The pixel of an account. Its key stands in the advertiser's pages, so it is no secret: it lets anyone add events and read none, and
 * it tells nothing about the account. Where origins are set, only their pages may use it; else events of pages that are no landing pages of the
 * account are marked (fine print 111).
 */
export type Pixel = {
  readonly spaceId: string
  readonly key: string
  readonly enabled: boolean
  /** Like `https://shop.example`; empty for any. */
  readonly origins: readonly string[]
}

/** `rotate` replaces the key; null leaves a setting as it is. */
export type PixelChange = {
  readonly rotate: boolean
  readonly enabled: boolean | null
  readonly origins: readonly string[] | null
}

export type PixelKeys = {
  /** The pixel of an account; created at the first request. */
  readonly of: (spaceId: string) => Promise<Pixel>
  readonly change: (spaceId: string, change: PixelChange) => Promise<Pixel>
  /** The pixel with a key; null for an unknown one. */
  readonly withKey: (key: string) => Promise<Pixel | null>
}
