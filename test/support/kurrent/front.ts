import { connect, createServer, type Socket } from 'node:net'
import { listenOn } from '../ports.ts'

/** The port of a server that can freeze, as a stopped process does: connections open and take bytes, and nothing answers. */
export type Front = {
  readonly port: number
  readonly freeze: () => void
  /** Delivers the data that was sent meanwhile. */
  readonly thaw: () => void
  readonly close: () => Promise<void>
}

export async function openFront(port: number, serverPort: number): Promise<Front> {
  const sockets = new Set<Socket>()
  let frozen = false
  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1')
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.setNoDelay(true)
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('data', (chunk: Buffer) => void other.write(chunk))
      socket.on('close', () => {
        sockets.delete(socket)
        // A stopped process closes nothing.
        if (!frozen) other.destroy()
      })
      if (frozen) socket.pause()
    }
  })
  const bound = await listenOn(server, port)
  return {
    port: bound,
    freeze: () => {
      frozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw: () => {
      frozen = false
      for (const socket of sockets) socket.resume()
    },
    close: async () => {
      frozen = false
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
