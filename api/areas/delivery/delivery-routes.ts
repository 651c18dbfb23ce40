import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { deliveryBatch, deliveryCampaigns, deliveryChanges } from '#contract/delivery'
import { LONGEST_STREAM } from '#contract/live'
import type { Served } from '#api/areas/services'
import { sendTagged } from '#api/http/cached'
import type { Call } from '#api/http/call'
import { isKnown } from '#api/http/etag'
import { createEventStreams } from '#api/http/event-streams'
import { register } from '#api/http/register'
import { createDelivery } from '#commands/delivery/accept-batch'
import { accepted, Refused, refused } from '#commands/refused'
import { READ_TIMEOUT_MS } from '#projections/catch-up'
import { servedAudiences } from '../audience/served-audiences.ts'
import { readRows } from './batch-rows.ts'
import { createDeliveryPort } from './port.ts'
import { createRunningChanges } from './running-changes.ts'
import { createServedCampaigns } from './served-campaigns.ts'

/** Unread data after which a bidder is disconnected, bytes: a change is a whole campaign. */
const MOST_UNREAD = 16 * 1024 * 1024
/** Most open streams of one bidder, over all processes. */
const STREAMS = 8

/** The bidder's side. */
export function registerDeliveryRoutes(
  app: FastifyInstance,
  kit: Served<
    | 'audiences'
    | 'caughtUp'
    | 'credentials'
    | 'db'
    | 'deliveries'
    | 'facts'
    | 'inbox'
    | 'limits'
    | 'projector'
    | 'settlements'
    | 'store'
  >,
): void {
  const { db, facts, guards, now } = kit
  const delivery = createDelivery({ port: createDeliveryPort(kit), facts, now, batchDays: kit.config.kept.batchDays })

  const campaignsOf = createServedCampaigns(kit)
  register(app, guards, deliveryCampaigns, async (call, reply) => {
    const answer = await campaignsOf(credentialOf(call)?.whitelabelId ?? null, (etag) => isKnown(reply.request, etag))
    return sendTagged(reply, 'data' in answer ? answer : { etag: answer.etag, data: null })
  })

  const changes = createRunningChanges({
    store: kit.store,
    db,
    deliveries: kit.deliveries,
    reached: (position) => kit.projector.reached(position, READ_TIMEOUT_MS, ['campaign-list', 'accounts', 'audiences']),
    audiencesOf: (states) => servedAudiences(kit, states),
    now,
    onError: (error) => kit.logger.error({ err: error }, 'changes of running campaigns were not reported and are read again'),
  })
  kit.stops.add(() => changes.stop())
  const openStream = createEventStreams<string | null>(app, {
    name: 'delivery',
    limits: kit.limits,
    mostUnread: MOST_UNREAD,
    allowed: async (held) => {
      const living = await kit.credentials.living(held.filter((id) => id !== null))
      return (id) => id === null || living.has(id)
    },
  })
  register(app, guards, deliveryChanges, async (call, reply) => {
    const bidder = credentialOf(call)
    return openStream(reply, {
      holder: bidder?.id ?? null,
      limits: [{ key: `stream ${bidder?.id ?? 'service'}`, streams: STREAMS }],
      seconds: call.query.seconds ?? LONGEST_STREAM,
      listen: (say) => changes.listen(bidder?.whitelabelId ?? null, (change) => say('campaigns', change)),
    })
  })

  register(app, guards, deliveryBatch, async (call) => {
    const { batch_id: id, rows: sent } = call.body
    const { rows, faults } = readRows(sent)
    if (faults.length > 0) throw new Refused({ code: 2, faults })
    const bidder = credentialOf(call)
    const bodyHash = createHash('sha256').update(JSON.stringify(rows)).digest('hex')
    // Bidders name their batches independently of each other.
    const batchId = bidder === null ? id : `${bidder.id}/${id}`
    const from = { bidder: bidder?.id ?? null, whitelabelId: bidder?.whitelabelId ?? null }
    const { repeated } = accepted(await delivery.accept({ id: batchId, bodyHash, ...from, rows }))
    return { batch_id: id, rows: rows.length, repeated }
  })
}

/** The bidder's credential; null for the service token, which may act for every white-label. */
function credentialOf({ identity }: Call) {
  if (identity.kind !== 'service') throw refused(3)
  return identity.credential
}
