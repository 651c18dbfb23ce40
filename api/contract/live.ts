import { endpoint } from './http.ts'
import { z } from './zod.ts'

/** Longest a stream of changes stays open, seconds: reconnecting checks the listener's token again. */
export const LONGEST_STREAM = 600

/** Most time between two messages or comments, milliseconds: after a much longer silence, the connection is lost. */
export const HEARTBEAT_MS = 15_000

/** For how long a stream is asked for. */
export const streamQuery = z.object({ seconds: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(LONGEST_STREAM))) })

/**
 * Server-sent events. `ready` once all later changes are covered; then `campaigns` with `{"ids": […]}` whenever campaigns in the
 * caller's reach have changed and the read models show it, at most four times a second, and `figures` in the same form when something was
 * delivered for them. `ids` is null when there are very many, or when they are unknown. `notifications` with `{}` follows whenever
 * notifications of the caller were added or read: it alone is sent to those who may not read campaigns. `reviews`
 * with `{}` follows for moderators whenever a submission in their reach is held, released, decided or assigned. Data read before `ready` may be
 * stale: refetch it.
 */
export const followChanges = endpoint({
  id: 'live.changes',
  reads: [],
  method: 'GET',
  path: '/v1/stream',
  access: 'profile.own',
  summary:
    "Changes of campaigns in reach, by id once the read models show them, and of the caller's notifications as server-sent events",
  query: streamQuery,
  output: z.unknown(),
  raw: true,
  stream: true,
})

export const changedCampaigns = z.object({ ids: z.nullable(z.array(z.string())) })
export type ChangedCampaigns = z.infer<typeof changedCampaigns>

export const LIVE_ENDPOINTS = [followChanges]
