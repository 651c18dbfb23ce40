import { once } from 'node:events'
import { startProduct } from '#api/compose'
import { demoConfig } from './demo-config.ts'

/** A process of the product with its demo, also beside stand-ins of mail and Stripe. Stops on SIGTERM. */
const stopping = new AbortController()
process.on('SIGTERM', () => stopping.abort())
const { signal } = stopping
const product = await startProduct(demoConfig(process.env), { threads: true, signal })
console.log(`Placard is ready at ${product.address}`)
if (!signal.aborted) await once(signal, 'abort')
await product.stop()
process.exit(0)
