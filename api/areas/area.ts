import type { FastifyInstance } from 'fastify'
import type { Sweep } from '#commands/sweep'
import type { Endpoint } from '#contract/http'
import type { HttpKit, Kit } from './kit.ts'

/** One area of the product as a value. `api/areas/index.ts` lists them; no other code refers to an area by name. */
export type Area = {
  readonly name: string
  /** The area's description in the API's documentation. */
  readonly summary: string
  /** The calls of this area. `register` makes a route of each. */
  readonly endpoints: readonly Endpoint[]
  readonly register: (app: FastifyInstance, kit: HttpKit) => void
  /** Sweeps of the policies role. Resources they open are closed through `kit.stops`. */
  readonly policies?: (kit: Kit) => Promise<readonly Sweep[]>
  /** Removes expired data. Runs every ten minutes in the process that leads the policies. */
  readonly housekeeping?: (kit: Kit) => Promise<unknown>
}
