import { setTimeout as delay } from 'node:timers/promises'
import type { StartOptions } from '#api/compose'
import { createRandom } from '../chaos/random.ts'

/** Largest delay of read models in this run, milliseconds. */
export const MOST_LAG_MS = Number(process.env['PROJECTION_LAG_MS'] ?? 0)

/**
 * With PROJECTION_LAG_MS in the environment, each read model waits at random up to so long before each page. PROJECTION_LAG_SEED
 * repeats a run.
 */
export function heldBack(): Pick<StartOptions, 'holdBack'> {
  if (MOST_LAG_MS === 0) return {}
  const seed = Number(process.env['PROJECTION_LAG_SEED'] ?? 20_260_601)
  console.log(`read models are up to ${MOST_LAG_MS} ms late (PROJECTION_LAG_SEED=${seed})`)
  const random = createRandom(seed)
  return { holdBack: () => delay(random.integer(MOST_LAG_MS), undefined, { ref: false }) }
}
