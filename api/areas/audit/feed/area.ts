import { createWebhookDeliveries, WEBHOOK, WEBHOOK_POLICY } from '#commands/audit/webhook-deliveries'
import { AUDIT_FEED_ENDPOINTS } from '#contract/audit-feed'
import { AUDIT_WEBHOOK_ENDPOINTS } from '#contract/audit-webhooks'
import { createWebhookClient, webhookSecret } from '#platform/audit/webhook-client'
import { createWebhookProgress, createWebhooks, queueWebhooks } from '#platform/audit/webhook-store'
import { sharedSecret } from '#platform/identity/secrets'
import { addressFault } from '#platform/outgoing/public-network'
import { feedHead } from '#projections/audit/queries'
import { area } from '#api/areas/area'
import type { Needs } from '#api/areas/services'
import { createFeed } from './feed.ts'
import { registerFeedRoutes } from './feed-routes.ts'
import { createWebhookFeed } from './webhook-feed.ts'
import { registerWebhookRoutes } from './webhook-routes.ts'

export const auditFeed = area({
  name: 'audit-feed',
  summary: 'Every event of every subject in the order of the log, as pages, as a file and by webhooks',
  endpoints: [...AUDIT_FEED_ENDPOINTS, ...AUDIT_WEBHOOK_ENDPOINTS],
  uses: ['dataKey', 'db', 'people', 'personal', 'security', 'store', 'whiteLabels'],
  tables: ['app.audit_webhooks'],
  register(app, kit) {
    const { db, config } = kit
    const allowPrivate = config.webhookPrivate
    registerFeedRoutes(app, kit, createFeed(kit))
    registerWebhookRoutes(app, kit, {
      stored: createWebhooks(db),
      send: createWebhookClient({ allowPrivate }),
      secretOf: secretsOf(kit),
      addressFault: (url) => addressFault(url, allowPrivate),
    })
  },
  jobs: {
    [WEBHOOK.name]: {
      ...WEBHOOK_POLICY,
      open: (own) =>
        createWebhookDeliveries({
          progress: createWebhookProgress(own.db),
          feed: createWebhookFeed(createFeed(own)),
          secretOf: secretsOf(own),
          send: createWebhookClient({ allowPrivate: own.config.webhookPrivate }),
          clock: () => performance.now(),
        }),
    },
  },
  policies: async ({ db }) => [
    {
      name: 'audit webhooks',
      scan: async () => {
        await queueWebhooks(db, await feedHead(db))
        return []
      },
    },
  ],
})

/** Secrets of webhooks. What they are derived from is read once. */
function secretsOf(kit: Needs<'dataKey' | 'db' | 'store'>): (id: string, generation: number) => Promise<string> {
  let master: Promise<string> | undefined
  return async (id, generation) => {
    master ??= sharedSecret(kit, 'webhooks').catch((error: unknown) => {
      master = undefined
      throw error
    })
    return webhookSecret(await master, id, generation)
  }
}
