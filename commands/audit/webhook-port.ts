import type { EventFilter } from '#domain/audit/event-filter'

/** Which events a webhook delivers. */
export type WebhookFilter = EventFilter

/** Facts that a delivery needs about a webhook. */
export type DueWebhook = {
  readonly id: string
  readonly whitelabelId: string
  readonly url: string
  readonly filter: WebhookFilter
  /** Raised by a rotation of the secret. */
  readonly generation: number
  /** Whether the secret before still signs. */
  readonly overlaps: boolean
  /** Everything up to here is delivered, or does not pass the filter. */
  readonly position: bigint
  /** Last position of the message that is being sent; null without one. */
  readonly pending: bigint | null
  /** Raised by whatever makes a message under way another one: a replay, another filter. */
  readonly epoch: number
}

/** Progress of deliveries. Writes about an epoch that is over do nothing, and return false. */
export type WebhookProgress = {
  /** Null while there is nothing to deliver to: it was deleted, switched off or parked. */
  readonly due: (id: string) => Promise<DueWebhook | null>
  /** The message that is sent next ends here, whatever comes after it. */
  readonly begin: (webhook: DueWebhook, upTo: bigint) => Promise<boolean>
  /** Nothing up to here passes the filter. */
  readonly skip: (webhook: DueWebhook, upTo: bigint) => Promise<boolean>
  readonly delivered: (webhook: DueWebhook, upTo: bigint) => Promise<boolean>
  /** Returns whether the webhook is parked now, since it failed for too long. */
  readonly failed: (webhook: DueWebhook, error: string) => Promise<boolean>
}

/** Entries of a white-label after a position. */
export type WebhookFeed = (
  asked: Pick<DueWebhook, 'whitelabelId' | 'filter'> & { readonly after: bigint; readonly upTo: bigint | null },
) => Promise<{
  readonly entries: readonly { readonly position: string; readonly at: string }[]
  /** Where to go on; null at the end. */
  readonly next: bigint | null
  readonly head: bigint
}>

export type WebhookMessage = { readonly id: string; readonly body: string }

/** Posts a signed message. Rejects only when the signal aborts. */
export type SendWebhook = (
  url: string,
  message: WebhookMessage,
  secrets: readonly string[],
  signal: AbortSignal,
) => Promise<{ readonly status: number | null; readonly error: string | null }>
