import { PassThrough } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { followChanges, LONGEST_STREAM } from '../contract/live.ts'
import { personOf } from '../http/person.ts'
import { register, type Doorkeepers } from '../http/register.ts'
import type { Changes } from '../live/changes.ts'

/** A comment now and then keeps proxies from closing a quiet stream, milliseconds. */
const HEARTBEAT_MS = 15_000
/** A listener that reads no more than this is let go, bytes; it comes back and starts anew. */
const MOST_UNREAD = 64 * 1024

export function registerLiveRoutes(app: FastifyInstance, doors: Doorkeepers, changes: Changes): void {
  const open = new Set<PassThrough>()
  app.addHook('preClose', async () => {
    for (const stream of open) stream.end()
  })

  register(app, doors, followChanges, async (call, reply) => {
    const stream = new PassThrough()
    const leave = await changes.listen(personOf(call), (changed) => say('campaigns', changed))
    const heartbeat = setInterval(() => stream.write(':\n\n'), HEARTBEAT_MS)
    const ending = setTimeout(() => stream.end(), (call.query.seconds ?? LONGEST_STREAM) * 1000)
    open.add(stream)
    stream.once('close', () => {
      leave()
      clearInterval(heartbeat)
      clearTimeout(ending)
      open.delete(stream)
    })
    function say(event: string, data: unknown): void {
      if (stream.writableLength > MOST_UNREAD) stream.destroy()
      else if (!stream.writableEnded) stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    }
    say('ready', {})
    // Proxies that collect answers before they pass them on would hold it for ever.
    return reply
      .type('text/event-stream; charset=utf-8')
      .headers({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no', 'X-Content-Type-Options': 'nosniff' })
      .send(stream)
  })
}
