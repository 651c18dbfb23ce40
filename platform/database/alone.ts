import { setTimeout as delay } from 'node:timers/promises'
import { createPool } from './pool.ts'

const ASK_AGAIN_MS = 250

/** Runs the work while no other process runs work of this name on the database. */
export async function alone<T>(
  url: string,
  name: string,
  { signal }: { readonly signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const pool = createPool(url, { max: 1, applicationName: 'placard-alone' })
  const client = await pool.connect()
  try {
    const isOurs = async () => {
      const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_lock(hashtextextended($1, 0)) as ours', [
        name,
      ])
      return rows[0]?.ours === true
    }
    // Not a lock that waits: the filling of a demo may take longer than a statement.
    while (!(await isOurs())) await delay(ASK_AGAIN_MS, undefined, { signal })
    return await work()
  } finally {
    // The lock belongs to the connection.
    client.release(true)
    await pool.end()
  }
}
