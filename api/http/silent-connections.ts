import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How long a closing server waits for the answers under way, milliseconds: below the 30 s of Kubernetes. */
const UNREAD_MS = 20_000

/**
 * Tracks connections without a request yet, such as browsers preconnect. Node counts them as busy, so a closing server would wait
 * a minute for each. A client that does not read its answer to the end delays a stop for `unreadMs` at most.
 */
export function closeSilentConnections(app: FastifyInstance, unreadMs = UNREAD_MS): void {
  const silent = new Set<Socket>()
  app.server.on('connection', (socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }) => silent.delete(socket))
  app.addHook('preClose', async () => {
    for (const socket of silent) socket.destroy()
    const closing = setTimeout(() => app.server.closeAllConnections(), unreadMs)
    app.server.once('close', () => clearTimeout(closing))
  })
}
