import { EVENT_KINDS } from '#domain/audit/event-kinds'
import { FEED_AUTHORS } from './audit-feed.ts'
import { endpoint, named, position } from './http.ts'
import { z } from './zod.ts'

/** Webhooks that deliver the audit feed of a white-label (docs/proof.md, standardwebhooks.com). */

const id = z.string().check(z.minLength(1), z.maxLength(100))
const givenPosition = z.string().check(z.regex(/^\d{1,18}$/, 'A position is a decimal number'))
const idParams = z.object({ id: z.string() })

/** The filters of the feed. Those that are absent let everything through. */
export const webhookFilter = named(
  'WebhookFilter',
  z.object({
    actor: z.nullish(id),
    by: z.nullish(z.enum(FEED_AUTHORS)),
    kind: z.nullish(z.enum(EVENT_KINDS)),
    subject: z.nullish(id),
    space: z.nullish(id),
    type: z.nullish(z.array(id).check(z.maxLength(50))),
    field: z.nullish(z.array(z.string().check(z.minLength(1), z.maxLength(300))).check(z.maxLength(50))),
  }),
)

const settings = {
  url: z.string().check(z.maxLength(2000), z.describe('An https address')),
  description: z.optional(z.string().check(z.maxLength(200))),
  filter: z.optional(webhookFilter),
}

export const webhook = named(
  'Webhook',
  z.object({
    id: z.string(),
    whitelabel_id: z.string(),
    url: z.string(),
    description: z.string(),
    filter: webhookFilter,
    enabled: z.boolean(),
    status: z
      .enum(['active', 'failing', 'parked', 'disabled'])
      .check(z.describe('failing: retried with growing pauses; parked: given up until it is enabled again or replayed')),
    delivered_position: position.check(z.describe('Everything up to here is delivered, or does not pass the filter')),
    head: position.check(z.describe('End of the feed')),
    delivered_at: z.nullable(z.string()),
    failing_since: z.nullable(z.string()),
    last_error: z.nullable(z.string()),
    next_attempt_at: z.nullable(z.string()),
    previous_secret_until: z.nullable(z.string()).check(z.describe('Until then messages have a signature by the old secret too')),
    created_by: z.string(),
    created_at: z.string(),
  }),
)
export type Webhook = z.infer<typeof webhook>

export const listWebhooks = endpoint({
  id: 'webhook.list',
  method: 'GET',
  path: '/v1/audit/webhooks',
  access: 'log.verify',
  summary: 'Webhooks of the white-labels in reach, without their secrets',
  query: z.object({ whitelabel_id: z.optional(id) }),
  output: named('Webhooks', z.object({ webhooks: z.array(webhook) })),
  reads: [],
})

export const createWebhook = endpoint({
  id: 'webhook.create',
  method: 'POST',
  path: '/v1/audit/webhooks',
  access: 'webhook.manage',
  stepUp: 'session',
  summary: 'A webhook for the feed of a white-label, the own one by default; its secret is answered once. At most ten',
  body: 'json',
  input: z.object({
    ...settings,
    whitelabel_id: z.optional(id),
    after: z
      .optional(givenPosition)
      .check(z.describe('Deliver what comes after this position; by default, what happens from now on')),
  }),
  output: z.object({ webhook, secret: z.string().check(z.describe('whsec_ and base64')), position }),
  reads: [],
  write: true,
  secret: true,
})

export const changeWebhook = endpoint({
  id: 'webhook.change',
  method: 'PUT',
  path: '/v1/audit/webhooks/:id',
  access: 'webhook.manage',
  stepUp: 'session',
  summary:
    'Replace the address, description and filter, and switch it off or on; a parked webhook that is enabled is tried again',
  params: idParams,
  body: 'json',
  input: z.object({ ...settings, enabled: z.boolean() }),
  output: z.object({ webhook, position }),
  reads: [],
  write: true,
})

export const deleteWebhook = endpoint({
  id: 'webhook.delete',
  method: 'DELETE',
  path: '/v1/audit/webhooks/:id',
  access: 'webhook.manage',
  stepUp: 'session',
  summary: 'Remove a webhook',
  params: idParams,
  output: z.object({ position }),
  reads: [],
  write: true,
})

export const rotateWebhookSecret = endpoint({
  id: 'webhook.rotate',
  method: 'POST',
  path: '/v1/audit/webhooks/:id/secret',
  access: 'webhook.manage',
  stepUp: 'session',
  summary: 'Make a new secret, which is answered once; messages are signed by the old one too until the overlap ends',
  params: idParams,
  body: 'json',
  input: z.object({
    overlap_hours: z.optional(z.number().check(z.int(), z.gte(0), z.lte(168))).check(z.describe('24 by default')),
  }),
  output: z.object({ secret: z.string(), previous_secret_until: z.nullable(z.string()), position }),
  reads: [],
  write: true,
  secret: true,
})

export const replayWebhook = endpoint({
  id: 'webhook.replay',
  method: 'POST',
  path: '/v1/audit/webhooks/:id/replay',
  access: 'webhook.manage',
  summary: 'Deliver everything after a position again; a parked webhook is tried again',
  params: idParams,
  body: 'json',
  input: z.object({ after: givenPosition }),
  output: z.object({ webhook, position }),
  reads: [],
  write: true,
})

export const testWebhook = endpoint({
  id: 'webhook.test',
  leaves: true,
  method: 'POST',
  path: '/v1/audit/webhooks/:id/test',
  access: 'webhook.manage',
  summary: 'Send a signed message of type audit.test now, and answer what came of it',
  params: idParams,
  body: 'json',
  input: z.object({}),
  output: named(
    'WebhookTest',
    z.object({
      delivered: z.boolean(),
      status: z.nullable(z.number()).check(z.describe('HTTP status of the receiver; null without an answer')),
      error: z.nullable(z.string()),
    }),
  ),
  reads: [],
})

export const AUDIT_WEBHOOK_ENDPOINTS = [
  listWebhooks,
  createWebhook,
  changeWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  replayWebhook,
  testWebhook,
]
