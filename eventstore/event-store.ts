/**
 * The port of the event log.
 *
 * Payloads cross this port as text, never as objects: the hash chain runs over the stored bytes, and an adapter
 * that parsed and printed them again could change bytes (fine print 23).
 */

/** Global order. Opaque: greater means later, gaps mean nothing. On the wire a decimal string. */
export type Position = bigint

export type NewEvent = {
  /** UUID, fixed before the first attempt, so that a retry of an in-doubt append is recognised. */
  readonly id: string
  /** Stored name, for example `CampaignApproved`. */
  readonly type: string
  readonly schemaVersion: number
  /** JSON text, stored byte for byte. */
  readonly data: string
  /** JSON text, stored byte for byte. */
  readonly metadata: string
}

export type StoredEvent = NewEvent & {
  /** `campaign-<uuid>` and the like; the category is the part before the first dash. */
  readonly stream: string
  /** 1-based and dense within the stream. */
  readonly version: number
  readonly position: Position
}

export type Append = {
  readonly stream: string
  /** The version the writer saw; 0 for a stream that must not exist yet. */
  readonly expected: number
  readonly events: readonly NewEvent[]
}

export type AppendResult =
  | {
      readonly kind: 'appended'
      /** Version of the last event of this append. */
      readonly version: number
      readonly position: Position
      /**
       * True when exactly these event ids were stored already: their stored content may differ from the request. A store that
       * cannot distinguish a first append from a repeat returns false only when every byte equals the request.
       */
      readonly replayed: boolean
    }
  | { readonly kind: 'conflict' }

/** A contiguous piece of the log: no event at or below `upTo` can appear later. */
export type Page = { readonly events: readonly StoredEvent[]; readonly upTo: Position }

export type Subscription = {
  /** Resolves after the handler in progress has ended; no call follows. */
  stop(): Promise<void>
}

export type SubscribeOptions = {
  /** Everything strictly after this position. */
  readonly after: Position
  /** Only streams whose names begin with one of these; all when absent or empty. Pages advance past skipped events. */
  readonly streams?: readonly string[]
  readonly batchSize?: number
  /** Called one at a time, in order. A rejection stops the subscription and reaches `onError`. */
  readonly onPage: (page: Page) => Promise<void>
  readonly onError: (error: unknown) => void
}

export type EventStore = {
  append(append: Append): Promise<AppendResult>
  /** Events of one stream with version > `after`, oldest first, at most `most` of them; empty for an unknown stream. */
  readStream(stream: string, after?: number, most?: number): Promise<readonly StoredEvent[]>
  /** The next events in global order; `upTo` equals `after` when nothing new is certain. */
  readAll(after: Position, limit: number): Promise<Page>
  /**
   * Everything after `after` that is certain now, in order, with read-ahead: for replays and rebuilds. Pages may be empty. Events
   * appended during the scan may be included.
   */
  scan(after: Position): AsyncIterable<Page>
  /** Position of the newest committed event; 0 for an empty log. */
  head(): Promise<Position>
  subscribe(options: SubscribeOptions): Subscription
  close(): Promise<void>
}
