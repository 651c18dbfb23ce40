import type { FastifyInstance } from 'fastify'
import { reachOf, type Actor } from '#domain/kit/access'
import * as contract from '#contract/audit-webhooks'
import type { z } from '#contract/zod'
import { personOf } from '#api/http/person'
import { register } from '#api/http/register'
import { refused } from '#commands/refused'
import { testMessage } from '#commands/audit/webhook-deliveries'
import type { SendWebhook, WebhookFilter } from '#commands/audit/webhook-port'
import type { Webhooks, WebhookRow } from '#platform/audit/webhook-store'
import { feedHead } from '#projections/audit/queries'
import { whiteLabelFor } from './feed-routes.ts'
import type { Served } from '#api/areas/services'

export type WebhookRouteDeps = {
  readonly stored: Webhooks
  readonly send: SendWebhook
  readonly secretOf: (id: string, generation: number) => Promise<string>
  /** The fault of an address; null when it has none. */
  readonly addressFault: (url: string) => string | null
}

const OVERLAP_HOURS = 24

/** Webhooks of white-labels. One out of reach is as unknown as one that does not exist. */
export function registerWebhookRoutes(
  app: FastifyInstance,
  { db, guards, newId, now, whiteLabels }: Served<'db' | 'whiteLabels'>,
  { stored, send, secretOf, addressFault }: WebhookRouteDeps,
): void {
  /** Null for every white-label. */
  const reach = (actor: Actor): string | null => (reachOf(actor, 'webhook.manage') === 'all' ? null : actor.whitelabelId)

  function settingsOf(body: {
    readonly url: string
    readonly description?: string | undefined
    readonly filter?: SentFilter | undefined
  }) {
    const url = body.url.trim()
    const message = addressFault(url)
    if (message !== null) throw refused(2, [{ path: 'url', code: 2, message }])
    return { url, description: body.description?.trim() ?? '', filter: filterOf(body.filter ?? {}) }
  }

  async function found(actor: Actor, id: string): Promise<WebhookRow> {
    const [row] = await stored.list(reach(actor), id)
    if (row === undefined) throw refused(131)
    return row
  }
  const shown = async (actor: Actor, id: string) => webhookOut(await found(actor, id), await feedHead(db))

  register(app, guards, contract.listWebhooks, async (call) => {
    const [rows, head] = await Promise.all([stored.list(whiteLabelFor(personOf(call), call.query.whitelabel_id)), feedHead(db)])
    return { webhooks: rows.map((row) => webhookOut(row, head)) }
  })

  register(app, guards, contract.createWebhook, async (call) => {
    const actor = personOf(call)
    const { whitelabel_id: asked, after } = call.body
    const own = reach(actor)
    const whitelabelId = asked ?? actor.whitelabelId
    if ((own !== null && whitelabelId !== own) || whiteLabels.find(whitelabelId) === null) throw refused(131)
    const settings = settingsOf(call.body)
    const id = newId()
    const position = await startOf(after)
    const isCreated = await stored.create({ ...settings, id, whitelabel_id: whitelabelId, position, created_by: actor.userId })
    if (!isCreated) throw refused(2, [{ path: 'url', code: 2, message: 'A white-label has ten webhooks at most' }])
    return { webhook: await shown(actor, id), secret: await secretOf(id, 1) }
  })

  /** A position that is later than the end of the feed would leave out what comes until then. */
  async function startOf(after: string | undefined): Promise<bigint> {
    const head = await guards.head()
    if (after === undefined) return head
    if (BigInt(after) > head) throw refused(2, [{ path: 'after', code: 2, message: 'Is later than the end of the log' }])
    return BigInt(after)
  }

  register(app, guards, contract.changeWebhook, async (call) => {
    const actor = personOf(call)
    const { id } = await found(actor, call.params.id)
    const settings = { ...settingsOf(call.body), enabled: call.body.enabled }
    if (!(await stored.change(id, reach(actor), settings))) throw refused(131)
    return { webhook: await shown(actor, id) }
  })

  register(app, guards, contract.deleteWebhook, async (call) => {
    if (!(await stored.remove(call.params.id, reach(personOf(call))))) throw refused(131)
    return {}
  })

  register(app, guards, contract.rotateWebhookSecret, async (call) => {
    const { id } = call.params
    const rotated = await stored.rotate(id, reach(personOf(call)), call.body.overlap_hours ?? OVERLAP_HOURS)
    if (rotated === null) throw refused(131)
    return { secret: await secretOf(id, rotated.generation), previous_secret_until: rotated.previous_until }
  })

  register(app, guards, contract.replayWebhook, async (call) => {
    const actor = personOf(call)
    const { id } = await found(actor, call.params.id)
    if (!(await stored.replay(id, reach(actor), await startOf(call.body.after)))) throw refused(131)
    return { webhook: await shown(actor, id) }
  })

  register(app, guards, contract.testWebhook, async (call) => {
    const { id, url, generation } = await found(personOf(call), call.params.id)
    const secrets = [await secretOf(id, generation)]
    const { status, error } = await send(url, testMessage(id, newId(), now()), secrets, new AbortController().signal)
    return { delivered: status !== null && status >= 200 && status < 300, status, error }
  })
}

type SentFilter = z.output<typeof contract.webhookFilter>

const filterOf = ({ actor, by, kind, subject, space, type, field }: SentFilter): WebhookFilter => ({
  actor: actor ?? null,
  by: by ?? null,
  kind: kind ?? null,
  subject: subject ?? null,
  space: space ?? null,
  types: type ?? null,
  fields: field ?? null,
})

/** The webhook without its secret. */
function webhookOut(row: WebhookRow, head: bigint): contract.Webhook {
  const { filter, parked, enabled, failing_since, error, position, previous_until } = row
  const { types, fields, ...plain } = filter
  const isFailing = failing_since !== null
  return {
    id: row.id,
    whitelabel_id: row.whitelabel_id,
    url: row.url,
    description: row.description,
    filter: { ...plain, type: types === null ? null : [...types], field: fields === null ? null : [...fields] },
    enabled,
    status: parked ? 'parked' : enabled ? (isFailing ? 'failing' : 'active') : 'disabled',
    delivered_position: String(position),
    head: String(head > position ? head : position),
    delivered_at: row.delivered_at,
    failing_since,
    last_error: error,
    next_attempt_at: row.next_attempt_at,
    previous_secret_until: previous_until,
    created_by: row.created_by,
    created_at: row.created_at,
  }
}
