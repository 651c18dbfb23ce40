/** What the server is given to answer, milliseconds. */
export const DEADLINE_MS = 5000
/** What the client is given on top before it is not believed to answer at all. */
const GRACE_MS = 1000

/** The client does not always keep its own deadline. */
export class Silent extends Error {}

/** Rejects with Silent once the client has had its time; what it says later is not heard. */
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
