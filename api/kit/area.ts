import type { FastifyInstance } from 'fastify'
import type { Sweep } from '../../commands/sweep.ts'
import type { Endpoint } from '../contract/http.ts'
import type { HttpKit, Kit } from './kit.ts'

/** One area of the product as a value. `api/areas/index.ts` lists them; nothing else knows an area by name. */
export type Area = {
  readonly name: string
  /** What the area is about, as the API's documentation says it. */
  readonly summary: string
  /** The calls of this area. `register` makes a route of each. */
  readonly endpoints: readonly Endpoint[]
  readonly register: (app: FastifyInstance, kit: HttpKit) => void
  /** Sweeps of the policies role. What they open is closed through `kit.stops`. */
  readonly policies?: (kit: Kit) => Promise<readonly Sweep[]>
  /** Removes what has expired. Runs every ten minutes in the process that leads the policies. */
  readonly housekeeping?: (kit: Kit) => Promise<unknown>
}
