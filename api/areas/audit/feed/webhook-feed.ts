import type { WebhookFeed } from '#commands/audit/webhook-port'
import type { Feed } from './feed.ts'

/** Entries and bytes of one message. */
const MOST_ENTRIES = 100
const MOST_BYTES = 256_000

/** Names are shown as staff of the white-label see them. */
const STAFF = { roles: ['WL_OWNER'] } as const

/** The feed for webhooks. Personal values stay sealed: what has left cannot be erased. */
export const createWebhookFeed =
  (feed: Feed): WebhookFeed =>
  ({ whitelabelId, filter, after, upTo }) =>
    feed.page(
      STAFF,
      { ...filter, whitelabelId, from: null, to: null },
      { after, before: upTo === null ? null : upTo + 1n, descending: false, limit: MOST_ENTRIES },
      MOST_BYTES,
    )
