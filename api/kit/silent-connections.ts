import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Tracks connections without a request yet, such as browsers preconnect. Node counts them as busy, so a closing server would wait
 * a minute for each.
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
