/** The client does not always keep its own deadline. */
export class Silent extends Error {}

/** Rejects with Silent when the client exceeds its time, milliseconds; a later answer is ignored. */
export async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Silent('KurrentDB did not answer in time')), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    work.catch(() => undefined)
  }
}
