import type { FastifyBaseLogger } from 'fastify'
import type { Stops } from './stops.ts'

/**
 * Runs the work now and at every interval until the product stops. A failure is logged, and the work runs again at the next
 * interval.
 */
export function repeat(
  { logger, stops }: { readonly logger: FastifyBaseLogger; readonly stops: Stops },
  ms: number,
  name: string,
  work: () => Promise<void>,
): void {
  let working: Promise<unknown> = Promise.resolve()
  const run = () => {
    working = work().catch((error: unknown) => logger.error({ err: error }, `${name} failed and runs again in ${ms / 1000} s`))
  }
  run()
  const timer = setInterval(run, ms)
  stops.add(async () => {
    clearInterval(timer)
    await working
  })
}
