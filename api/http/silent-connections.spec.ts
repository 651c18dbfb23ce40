import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import fastify from 'fastify'
import { expect, it } from 'vitest'
import { closeSilentConnections } from './silent-connections.ts'

const BLOCK = Buffer.alloc(1024 ** 2)

async function opened(unreadMs: number) {
  const app = fastify({ forceCloseConnections: 'idle' })
  closeSilentConnections(app, unreadMs)
  app.get('/large', (_request, reply) => reply.send(Readable.from(Array.from({ length: 64 }, () => BLOCK))))
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
  await once(socket, 'connect')
  return { app, socket }
}

it('closes at once when a connection has no request yet', async () => {
  const { app } = await opened(60_000)
  await app.close()
})

it('closes although a client does not read its answer', async () => {
  const { app, socket } = await opened(300)
  socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(socket, 'readable')
  const started = Date.now()
  await app.close()
  expect(Date.now() - started).toBeGreaterThanOrEqual(290)
})
