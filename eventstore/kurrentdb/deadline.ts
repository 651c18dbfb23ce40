/** Timeout of the server, milliseconds. */
export const DEADLINE_MS = 5000
/** Extra time for the client before it counts as silent. */
const GRACE_MS = 1000

/** The client does not always keep its own deadline. */
export class Silent extends Error {}

/** Rejects with Silent when the client exceeds its time; a later answer is ignored. */
export async function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Silent('KurrentDB did not answer in time')), DEADLINE_MS + GRACE_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    work.catch(() => undefined)
  }
}
