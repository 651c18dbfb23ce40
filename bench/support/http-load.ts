import { readFileSync } from 'node:fs'
import { connect } from 'node:net'

/**
 * A process that loads the product over HTTP: one-field PUTs of campaigns on so many connections, each sending as soon as it is answered.
 * Each is saved once before the clock starts: the product then remembers it, as it does those that are being worked on. Speaks HTTP by
 * hand, so that it takes little of the machine from what it measures. Reads its orders as JSON from stdin, answers one.
 */
type Orders = {
  readonly port: number
  readonly token: string
  readonly connections: number
  readonly seconds: number
  readonly ids: readonly string[]
  /** First of the budgets that are saved, in cents; each save takes the next one, so that each changes something. */
  readonly from: number
}

const orders: Orders = JSON.parse(readFileSync(0, 'utf8'))
let requests = 0
let failures = 0
let cents = orders.from

function request(id: string): string {
  cents += 1
  const body = JSON.stringify({ id, budget: cents / 100 })
  return [
    'PUT /v1/campaign HTTP/1.1',
    'host: 127.0.0.1',
    `authorization: Bearer ${orders.token}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

async function drive(connection: number, goesOn: (own: readonly string[], n: number) => boolean): Promise<void> {
  const socket = connect(orders.port, '127.0.0.1')
  socket.setNoDelay(true)
  const own = orders.ids.filter((_, i) => i % orders.connections === connection)
  let buffered = ''
  let wake: () => void = () => {}
  socket.on('data', (chunk: Buffer) => {
    buffered += chunk.toString('latin1')
    wake()
  })
  for (let n = 0; goesOn(own, n); n++) {
    socket.write(request(own[n % own.length] ?? ''))
    for (;;) {
      const head = buffered.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(buffered)?.[1] ?? Number.NaN)
      if (head !== -1 && buffered.length >= head + 4 + length) {
        if (!buffered.startsWith('HTTP/1.1 200')) failures += 1
        buffered = buffered.slice(head + 4 + length)
        break
      }
      await new Promise<void>((resolve) => (wake = resolve))
    }
    requests += 1
  }
  socket.destroy()
}

const all = (goesOn: (own: readonly string[], n: number) => boolean): Promise<unknown> =>
  Promise.all(Array.from({ length: orders.connections }, (_, connection) => drive(connection, goesOn)))

await all((own, n) => n < own.length)
requests = 0
const begin = performance.now()
const end = begin + orders.seconds * 1000
await all(() => performance.now() < end)
console.log(JSON.stringify({ perSecond: requests / ((performance.now() - begin) / 1000), failures }))
