import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'

/**
 * Below the ports that systems give to connections of clients (from 32,768): the port of a stand-in that goes away for a while is free
 * when it comes back, whatever else runs.
 */
const FIRST = 20_000
const LAST = 32_000
const TRIES = 20

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

/** Lets the server listen on this port of 127.0.0.1, or without one on a free one, and resolves with it. Rejects when it cannot. */
export async function listenOn(server: Server, port = 0): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const listening = once(server, 'listening')
    server.listen(port === 0 ? randomInt(FIRST, LAST) : port, '127.0.0.1')
    try {
      await listening
      return (server.address() as AddressInfo).port
    } catch (error) {
      if (port !== 0 || tries === TRIES || codeOf(error) !== 'EADDRINUSE') throw error
    }
  }
}

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listenOn(server)
  server.close()
  await once(server, 'close')
  return port
}
