import { eventually } from '../support/product.ts'
import type { Target } from './world.ts'

/**
 * Checks after a run: every campaign in the log replays to its read models, is readable, no stream is parked, no sweep passes over an
 * item, and everybody is notified. Detects values that were accepted but cannot be read, stored, notified or mailed later.
 */
export async function afterwards({ as, query }: Target): Promise<readonly string[]> {
  const admin = await as('admin@dsp.example')
  const [head] = await query<{ head: string }>('select coalesce(max(position), 0)::text as head from es.events', [])
  const position = { 'x-position': head?.head ?? '0' }
  const streams = await query<{ id: string }>(
    `select distinct substr(stream_id, 10) as id from es.events where stream_id like 'campaign-%' order by 1`,
    [],
  )
  const faults: string[] = []
  for (const { id } of streams) {
    const verified = await admin.call<{ valid: boolean; faults: string[] }>(
      'GET',
      `/v1/campaign/${id}/verify`,
      undefined,
      position,
    )
    if (verified.status !== 200 || !verified.data.valid)
      faults.push(`campaign ${id} does not verify: ${JSON.stringify(verified.data)}`)
    for (const path of [id, `admin/${id}`, `${id}/blame`, `${id}/at`, `revision/snapshot/${id}?page-size=150`]) {
      const { status } = await admin.call('GET', `/v1/campaign/${path}`)
      if (status !== 200) faults.push(`GET /v1/campaign/${path} answers ${status}`)
    }
  }
  const letters = await query<{ n: number }>('select count(*)::int as n from es.dead_letters', [])
  if (letters[0]?.n !== 0) faults.push(`${letters[0]?.n} events were given up on`)
  const told = () => query<{ at: string }>(`select coalesce(max(position), 0)::text as at from app.mail_cursor`, [])
  await eventually(told, ([cursor]) => BigInt(cursor?.at ?? 0) >= BigInt(head?.head ?? 0)).catch((error: unknown) =>
    faults.push(`notifications do not come to the end of the log: ${String(error)}`),
  )
  const failing = await query<{ kind: string; key: string; error: string }>(
    `select kind, key, error from app.jobs where kind like 'sweep %'`,
    [],
  )
  faults.push(...failing.map(({ kind, key, error }) => `${kind} passes over ${key}: ${error}`))
  return streams.length === 0 ? ['there is no campaign'] : faults
}
