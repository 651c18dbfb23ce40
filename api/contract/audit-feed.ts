import { EVENT_KINDS } from '#domain/audit/event-kinds'
import { endpoint, fieldValue, named, position } from './http.ts'
import { z } from './zod.ts'

/** The audit feed: every event of every subject in the order of the log (docs/proof.md). */

export const FEED_AUTHORS = ['people', 'staff', 'advertisers', 'system'] as const

const id = z.string().check(z.minLength(1), z.maxLength(100))
const LIST = 2000
const list = z.string().check(z.minLength(1), z.maxLength(LIST))
const givenPosition = z.string().check(z.regex(/^\d{1,18}$/, 'A position is a decimal number'))
const instant = z.string().check(z.maxLength(40))

/** Narrows the feed to some events. All of the given filters hold. */
const feedFilter = {
  actor: z.optional(id).check(z.describe('Id of the person who caused the event')),
  by: z.optional(z.enum(FEED_AUTHORS)).check(z.describe('Kind of author')),
  kind: z.optional(z.enum(EVENT_KINDS)).check(z.describe('Kind of subject')),
  subject: z.optional(id).check(z.describe('Id of the campaign, account, invoice or other subject')),
  space: z.optional(id).check(z.describe('Id of the account')),
}

const feedQuery = z.object({
  ...feedFilter,
  type: z.optional(list).check(z.describe('Types of events, separated by commas')),
  field: z
    .optional(list)
    .check(
      z.describe(
        'Paths, separated by commas: events that changed one of them or anything in it. Elements go without their ids: visuals.banners.file_id. A creation changes every field of its subject',
      ),
    ),
  from: z.optional(instant).check(z.describe('Instant of business time, ISO 8601, included')),
  to: z.optional(instant).check(z.describe('Instant of business time, ISO 8601, excluded')),
  whitelabel_id: z.optional(id).check(z.describe('For administrators of the system: one white-label alone')),
  after: z.optional(givenPosition).check(z.describe('Events after this position')),
  before: z.optional(givenPosition).check(z.describe('Events before this position')),
  order: z.optional(z.enum(['asc', 'desc'])).check(z.describe('Order of positions, ascending by default')),
  limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(1000))).check(z.describe('100 by default')),
  format: z.optional(z.enum(['json', 'csv'])).check(z.describe('The same as Accept: text/csv')),
})
export type FeedQuery = z.infer<typeof feedQuery>

export const feedEntry = named(
  'FeedEntry',
  z.object({
    position,
    at: z.string().check(z.describe('Business time, ISO 8601 UTC')),
    kind: z.enum(EVENT_KINDS),
    subject_id: z.string(),
    subject_name: z.nullable(z.string()),
    space_id: z.nullable(z.string()).check(z.describe('The account; null for subjects of the white-label itself')),
    space_name: z.nullable(z.string()),
    whitelabel_id: z.nullable(z.string()),
    version: z.number().check(z.describe('Place of the event in the log of its subject, from 1')),
    revision: z.number(),
    type: z.string(),
    actor_id: z.nullable(z.string()).check(z.describe('Id of the person; null for others')),
    author: z.string().check(z.describe('Full name, or System, Exchange, Platform')),
    role: z.string(),
    on_behalf_of: z.nullable(z.string()),
    source: z.string(),
    changes: z
      .array(z.object({ path: z.string(), from: fieldValue, to: fieldValue }))
      .check(z.describe('What the event says, by path; money in millionths of the currency')),
    hash: z.string().check(z.describe('Hash of the stored event in hex')),
  }),
)
export type FeedEntry = z.infer<typeof feedEntry>

export const auditFeed = endpoint({
  id: 'audit.feed',
  method: 'GET',
  path: '/v1/audit/feed',
  access: 'log.verify',
  summary:
    'Events of every subject in the order of the log. A call reads a bounded part of it, and may answer fewer entries than the limit: continue from next, which is null at the end; later events follow after head',
  query: feedQuery,
  output: named(
    'Feed',
    z.object({
      entries: z.array(feedEntry),
      next: z.nullable(position).check(z.describe('Continue from here: as after, or as before in descending order')),
      head: position.check(z.describe('The answers up to next: null are complete up to this position')),
    }),
  ),
  reads: ['audit-log'],
  heavy: true,
  csv: true,
})

export const AUDIT_FEED_ENDPOINTS = [auditFeed]
