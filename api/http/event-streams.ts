import { PassThrough } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { HEARTBEAT_MS } from '#contract/live'
import type { Limits } from '#platform/limits/limits'

/** How often the holders of open streams are checked, milliseconds: a stream ends within 5 s of its session or credential. */
const CHECK_MS = 3000

/** Writes one server-sent event. */
export type Say = (event: string, data: unknown) => void

export type EventStreamsOptions<Holder> = {
  /** Names these streams in metrics. */
  readonly name: string
  /** Decides which of these holders may still listen. */
  readonly allowed: (holders: readonly Holder[]) => Promise<(holder: Holder) => boolean>
  /** A listener with more unread data than this is disconnected, bytes; it reconnects and refetches. */
  readonly mostUnread: number
  readonly limits: Pick<Limits, 'reserve'>
}

export type Opening<Holder> = {
  readonly holder: Holder
  /** How many streams with this key may be open, over all processes. */
  readonly limits: readonly { readonly key: string; readonly streams: number }[]
  /** How long the stream stays open. */
  readonly seconds: number
  /** Starts to listen; the returned function ends it. Resolves once every later change is covered: `ready` follows. */
  readonly listen: (say: Say) => Promise<() => void>
}

const counts = new WeakMap<FastifyInstance, Map<string, () => number>>()

/** How many streams of each kind a server has open. */
export const openStreams = (app: FastifyInstance): readonly (readonly [name: string, open: number])[] =>
  [...(counts.get(app) ?? [])].map(([name, count]) => [name, count()])

/** Server-sent events with heartbeats, to listeners whose right to listen is checked while they do. */
export function createEventStreams<Holder>(app: FastifyInstance, options: EventStreamsOptions<Holder>) {
  const open = new Map<PassThrough, Holder>()
  counts.set(
    app,
    (counts.get(app) ?? new Map()).set(options.name, () => open.size),
  )
  const checking = setInterval(() => {
    endOrphans().catch((error: unknown) => app.log.error({ err: error }, 'holders of live streams were not checked'))
  }, CHECK_MS)
  checking.unref()
  app.addHook('preClose', async () => {
    clearInterval(checking)
    for (const stream of open.keys()) stream.end()
  })

  async function endOrphans(): Promise<void> {
    // A stream that opens during the check was not asked about.
    const checked = [...open]
    if (checked.length === 0) return
    const isAllowed = await options.allowed(checked.map(([, holder]) => holder))
    for (const [stream, holder] of checked) if (!isAllowed(holder)) stream.end()
  }

  return async (reply: FastifyReply, { holder, limits, seconds, listen }: Opening<Holder>): Promise<FastifyReply> => {
    // A crashed process releases nothing: its units expire when its streams would have ended.
    const reserved = await options.limits.reserve(
      limits.map(({ key, streams }) => ({ key, limit: streams, seconds: seconds + 5 })),
    )
    const release = () =>
      void reserved
        .release()
        .catch((error: unknown) => app.log.error({ err: error }, 'the place of a closed live stream was not released'))
    const stream = new PassThrough()
    const leave = await listen(say).catch((error: unknown) => {
      release()
      throw error
    })
    const heartbeat = setInterval(() => stream.write(':\n\n'), HEARTBEAT_MS)
    const ending = setTimeout(() => stream.end(), seconds * 1000)
    open.set(stream, holder)
    stream.once('close', () => {
      leave()
      release()
      clearInterval(heartbeat)
      clearTimeout(ending)
      open.delete(stream)
    })
    function say(event: string, data: unknown): void {
      if (stream.writableLength > options.mostUnread) stream.destroy()
      else if (!stream.writableEnded) stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    }
    say('ready', {})
    // A buffering proxy would hold the answer forever.
    return reply
      .type('text/event-stream; charset=utf-8')
      .headers({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no', 'X-Content-Type-Options': 'nosniff' })
      .send(stream)
  }
}
