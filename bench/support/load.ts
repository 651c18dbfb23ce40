/** Calls per second of several callers, each calling again after its answer, over the given seconds. */
export async function closedLoop(callers: number, seconds: number, call: (caller: number) => Promise<void>): Promise<number> {
  const end = performance.now() + seconds * 1000
  const begin = performance.now()
  let calls = 0
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      while (performance.now() < end) {
        await call(caller)
        calls += 1
      }
    }),
  )
  return calls / ((performance.now() - begin) / 1000)
}
