import type { Kit } from '../areas/kit.ts'

/**
 * Runs the work now and at every interval until the product stops. A failure is logged, and the work runs again at the next
 * interval.
 */
export function repeat(
  { logger, stops }: Pick<Kit, 'logger' | 'stops'>,
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
