import { connect, type Socket } from 'node:net'

export type Answer = { readonly status: number; readonly body: string }

export type Connection = {
  /** A call with a JSON body. Call only after the previous answer. */
  readonly call: (
    method: 'POST' | 'PUT',
    path: string,
    body: string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer>
  /** A save; resolves with the text of its answer, throws when it is refused. */
  readonly put: (body: string) => Promise<string>
  readonly close: () => void
}

/** A connection to the product for sequential calls. Implements HTTP by hand, to use little of the measured machine. */
export function openConnection({ port, token }: { readonly port: number; readonly token: string }): Connection {
  let buffered: Buffer = Buffer.alloc(0)
  let wake: () => void = () => {}
  let failed: Error | null = null
  let socket = opened()

  /** The server closes connections that are idle: the next call opens another. */
  function opened(): Socket {
    const next = connect(port, '127.0.0.1').setNoDelay(true)
    buffered = Buffer.alloc(0)
    next.on('data', (chunk: Buffer) => {
      buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk])
      wake()
    })
    next.on('error', (error) => {
      failed = error
      wake()
    })
    next.on('end', () => {
      next.destroy()
      wake()
    })
    return next
  }

  async function answer(): Promise<Answer> {
    for (;;) {
      const end = buffered.indexOf('\r\n\r\n')
      const head = end === -1 ? '' : buffered.toString('latin1', 0, end)
      const whole = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
      if (buffered.length >= whole) {
        const body = buffered.toString('utf8', end + 4, whole)
        buffered = buffered.subarray(whole)
        return { status: Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)), body }
      }
      if (failed !== null) throw failed
      if (socket.destroyed) throw new Error('the product closed a connection before its answer')
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }

  const call: Connection['call'] = (method, path, body, headers = {}) => {
    const lines = [
      `${method} ${path} HTTP/1.1`,
      'host: 127.0.0.1',
      `authorization: Bearer ${token}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ]
    if (socket.destroyed) socket = opened()
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
    return answer()
  }

  return {
    call,
    put: async (body) => {
      const saved = await call('PUT', '/v1/campaign', body)
      if (saved.status !== 200) throw new Error(`a bench save was refused: ${saved.body.slice(0, 500)}`)
      return saved.body
    },
    close: () => socket.destroy(),
  }
}
