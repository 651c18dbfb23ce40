import { PassThrough } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { followChanges, HEARTBEAT_MS, LONGEST_STREAM } from '../../contract/live.ts'
import { personOf } from '../../kit/person.ts'
import { register } from '../../kit/register.ts'
import { refused } from '../../kit/refused.ts'
import { READ_TIMEOUT_MS, type HttpKit } from '../../kit/kit.ts'
import { createChanges } from './changes.ts'

/** A listener with more unread data than this is disconnected, bytes; it reconnects and refetches. */
const MOST_UNREAD = 64 * 1024

/** Most open streams of one session, over all processes. */
const STREAMS = 8
/** How often the sessions of open streams are checked, milliseconds: a stream ends within 5 s of its session. */
const CHECK_MS = 3000

/** Server-sent events about campaigns that the caller may read. */
export function registerLiveRoutes(app: FastifyInstance, kit: HttpKit): void {
  const { guards, limits, sessions } = kit
  const changes = createChanges({
    store: kit.store,
    placeOf: kit.placeOf,
    reached: (position) => kit.projector.reached(position, READ_TIMEOUT_MS),
    onError: (error) => kit.logger.error({ err: error }, 'changes of campaigns were not reported and are read again'),
  })
  kit.stops.add(() => changes.stop())
  const open = new Map<PassThrough, { readonly id: string; readonly version: number }>()
  const checking = setInterval(() => {
    endOrphans().catch((error: unknown) => app.log.error({ err: error }, 'sessions of live streams were not checked'))
  }, CHECK_MS)
  checking.unref()
  app.addHook('preClose', async () => {
    clearInterval(checking)
    for (const stream of open.keys()) stream.end()
  })

  /** Ends streams whose session has ended: signed out, revoked, or with changed credentials. */
  async function endOrphans(): Promise<void> {
    if (open.size === 0) return
    const living = await sessions.living([...new Set([...open.values()].map(({ id }) => id))])
    for (const [stream, { id, version }] of open) if (living.get(id) !== version) stream.end()
  }

  register(app, guards, followChanges, async (call, reply) => {
    const actor = personOf(call)
    if (call.identity.kind !== 'person') throw refused(401)
    const { session } = call.identity
    const seconds = call.query.seconds ?? LONGEST_STREAM
    // A crashed process releases nothing: its units expire when its streams would have ended.
    const reserved = await limits.reserve([{ key: `stream ${session.id}`, limit: STREAMS, seconds: seconds + 5 }])
    const release = () =>
      void reserved
        .release()
        .catch((error: unknown) => app.log.error({ err: error }, 'the place of a closed live stream was not released'))
    const stream = new PassThrough()
    const leave = await changes
      .listen(actor, (changed) => say('campaigns', changed))
      .catch((error: unknown) => {
        release()
        throw error
      })
    const heartbeat = setInterval(() => stream.write(':\n\n'), HEARTBEAT_MS)
    const ending = setTimeout(() => stream.end(), seconds * 1000)
    open.set(stream, session)
    stream.once('close', () => {
      leave()
      release()
      clearInterval(heartbeat)
      clearTimeout(ending)
      open.delete(stream)
    })
    function say(event: string, data: unknown): void {
      if (stream.writableLength > MOST_UNREAD) stream.destroy()
      else if (!stream.writableEnded) stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    }
    say('ready', {})
    // A buffering proxy would hold the answer forever.
    return reply
      .type('text/event-stream; charset=utf-8')
      .headers({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no', 'X-Content-Type-Options': 'nosniff' })
      .send(stream)
  })
}
