import { connect, createServer, type Socket } from 'node:net'
import { listenOn } from './ports.ts'

export type LossyProxy = {
  /** The database behind the proxy. */
  readonly url: string
  /** Forwards the next request that contains this text and drops its answer; the connection then breaks or stays silent. */
  loseAnswerTo(text: string, how?: 'breaking' | 'silently'): void
  /** The number of dropped answers. */
  lost(): number
  /**
   * Simulates a powerless host behind a network that has not noticed: connections stay open and new ones are accepted, but no
   * data passes, on these connections never again.
   */
  silence(): void
  /** New connections reach the server from now on. */
  speak(): void
  /** Holds everything back, as a server whose processes are stopped, until `thaw`. */
  freeze(): void
  thaw(): void
  /** Breaks every connection. */
  cut(): void
  /** Refuses connections until `up`; existing ones break. */
  down(): Promise<void>
  up(): Promise<void>
  /** Breaks every connection; new ones go to another server, or to none for null. */
  moveTo(url: string | null): void
  close(): Promise<void>
}

/** A proxy that fails at the worst moment: after the server executed a request, and before the client receives the answer. */
export async function startLossyProxy(url: string): Promise<LossyProxy> {
  let target: URL | null = new URL(url)
  const sockets = new Set<Socket>()
  let marked: string | null = null
  let silently = false
  let silent = false
  let frozen = false
  let lost = 0

  const server = createServer((client) => {
    if (target === null) {
      client.destroy()
      return
    }
    const upstream = connect(Number(target.port), target.hostname)
    let deaf = false
    let dead = silent
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (chunk: Buffer) => {
      dead ||= silent
      if (dead) return
      if (marked !== null && chunk.includes(marked)) {
        marked = null
        deaf = true
      }
      upstream.write(chunk)
    })
    upstream.on('data', (chunk: Buffer) => {
      dead ||= silent
      if (dead) return
      if (deaf) {
        lost += 1
        if (silently) dead = true
        else client.destroy()
      } else {
        client.write(chunk)
      }
    })
  })
  server.on('connection', () => {
    if (frozen) freeze()
  })
  const freeze = () => {
    frozen = true
    for (const socket of sockets) socket.pause()
  }
  const port = await listenOn(server)
  const through = new URL(url)
  through.port = String(port)
  const cut = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  const down = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    cut()
    await closed
  }
  return {
    url: through.href,
    loseAnswerTo: (text, how = 'breaking') => {
      marked = text
      silently = how === 'silently'
    },
    lost: () => lost,
    silence: () => (silent = true),
    speak: () => (silent = false),
    freeze,
    thaw: () => {
      frozen = false
      for (const socket of sockets) socket.resume()
    },
    cut,
    down,
    up: async () => void (await listenOn(server, port)),
    moveTo: (other) => {
      target = other === null ? null : new URL(other)
      cut()
    },
    close: down,
  }
}
