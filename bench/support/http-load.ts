import { readFileSync } from 'node:fs'
import { openConnection } from './connection.ts'

/**
 * A process that loads the product over HTTP: one-field PUTs of campaigns on so many connections, each sending as soon as it is answered.
 * Each is saved once before the clock starts: the product then remembers it, as it does those that are being worked on. Reads its
 * orders as JSON from stdin, answers one; a save that is refused ends it.
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
let cents = orders.from
const connections = Array.from({ length: orders.connections }, () => openConnection(orders))

/** Saves each connection's own campaigns in turn for as long as told; answers how many saves that were. */
async function drive(goesOn: (own: readonly string[], n: number) => boolean): Promise<number> {
  const saves = connections.map(async ({ put }, connection) => {
    const own = orders.ids.filter((_, i) => i % orders.connections === connection)
    let n = 0
    for (; goesOn(own, n); n++) {
      cents += 1
      await put(JSON.stringify({ id: own[n % own.length] ?? '', budget: cents / 100 }))
    }
    return n
  })
  return (await Promise.all(saves)).reduce((sum, n) => sum + n, 0)
}

await drive((own, n) => n < own.length)
const begin = performance.now()
const end = begin + orders.seconds * 1000
const saves = await drive(() => performance.now() < end)
console.log(JSON.stringify({ perSecond: saves / ((performance.now() - begin) / 1000) }))
for (const { close } of connections) close()
