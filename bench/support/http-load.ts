import { readFileSync } from 'node:fs'
import { openConnection } from './connection.ts'

/**
 * A process that loads the product over HTTP: one-field PUTs of campaigns on several connections, each sending the next after its
 * answer. Each campaign is saved once before measuring, so that the product caches it. Reads its parameters as JSON from stdin
 * and prints one JSON result; a refused save ends it.
 */
type Orders = {
  readonly port: number
  /** Each connection is its own account, and saves its campaigns in turn. */
  readonly accounts: readonly { readonly token: string; readonly ids: readonly string[] }[]
  readonly seconds: number
  /** First budget, in cents; each save adds one, so that each changes something. */
  readonly from: number
}

const orders: Orders = JSON.parse(readFileSync(0, 'utf8'))
let cents = orders.from
const connections = orders.accounts.map(({ token, ids }) => ({ ids, ...openConnection({ port: orders.port, token }) }))

/** Saves each connection's own campaigns in turn for the given time; returns the number of saves. */
async function drive(goesOn: (own: readonly string[], n: number) => boolean): Promise<number> {
  const saves = connections.map(async ({ put, ids }) => {
    let n = 0
    for (; goesOn(ids, n); n++) {
      cents += 1
      await put(JSON.stringify({ id: ids[n % ids.length] ?? '', budget: cents / 100 }))
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
