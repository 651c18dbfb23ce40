import { connect } from 'node:net'

export type Connection = {
  /** A save; resolves with the text of its answer, throws when it is refused. */
  readonly put: (body: string) => Promise<string>
  readonly close: () => void
}

/** A connection to the product that carries one save after the other. Speaks HTTP by hand, so that it takes little of the machine from what it measures. */
export function openConnection({ port, token }: { readonly port: number; readonly token: string }): Connection {
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  let buffered = ''
  let wake: () => void = () => {}
  let failed: Error | null = null
  socket.on('data', (chunk: Buffer) => {
    buffered += chunk.toString('latin1')
    wake()
  })
  socket.on('error', (error) => {
    failed = error
    wake()
  })
  return {
    put: async (body) => {
      socket.write(saying(token, body))
      for (;;) {
        const head = buffered.indexOf('\r\n\r\n')
        const length = Number(/content-length: (\d+)/i.exec(buffered)?.[1] ?? Number.NaN)
        if (head !== -1 && buffered.length >= head + 4 + length) {
          const answer = buffered.slice(head + 4, head + 4 + length)
          const ok = buffered.startsWith('HTTP/1.1 200')
          buffered = buffered.slice(head + 4 + length)
          if (!ok) throw new Error(`a bench save was refused: ${answer.slice(0, 500)}`)
          return answer
        }
        if (failed !== null) throw failed
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    close: () => socket.destroy(),
  }
}

const saying = (token: string, body: string): string =>
  [
    'PUT /v1/campaign HTTP/1.1',
    'host: 127.0.0.1',
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
