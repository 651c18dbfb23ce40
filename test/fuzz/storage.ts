import type { Added } from './checks.ts'
import type { Target } from './world.ts'

/** Events that a request caused; the demo pays in what its campaigns spend. */
const CALLED = `metadata->>'source' <> 'policy' and metadata->>'actor' <> 'system:demo'`

/** Returns what was stored since the last call, without the background writes of policies and of the demo. */
export async function storage({ query }: Target): Promise<() => Promise<Added>> {
  let head = '0'
  let others = 0
  const ask = async (): Promise<Added> => {
    const [row] = await query<{ events: number; types: readonly string[] | null; head: string; others: number }>(
      `select count(*) filter (where ${CALLED})::int as events,
              array_agg(distinct type || ' by ' || (metadata->>'actor')) filter (where ${CALLED}) as types,
              coalesce(max(position), $1::bigint)::text as head,
              ((select count(*) from app.files) + (select count(*) from app.whitelists)
                + (select count(*) from app.resource_requests) + (select count(*) from identity.service_credentials))::int as others
       from es.events where position > $1::bigint`,
      [head],
    )
    const added = { events: row?.events ?? 0, types: row?.types ?? [], others: (row?.others ?? 0) - others }
    head = row?.head ?? head
    others = row?.others ?? others
    return added
  }
  await ask()
  return ask
}
