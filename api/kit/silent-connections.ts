import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Connections opened ahead of need, as browsers do, on which nothing was asked yet. Node counts them as busy, so that an ending server
 * would wait a minute for each.
 */
export function closeSilentConnections(app: FastifyInstance): void {
  const silent = new Set<Socket>()
  app.server.on('connection', (socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }) => silent.delete(socket))
  app.addHook('preClose', async () => {
    for (const socket of silent) socket.destroy()
  })
}
