import { sql, type Kysely } from 'kysely'
import type { Selection } from '#domain/campaign/content/content'
import type { Db } from '#migrations/db'
import { mayServe } from './money-queries.ts'

/** A campaign whose targeting names audiences. */
export type AudienceUse = {
  readonly id: string
  readonly name: string
  readonly space_id: string
  readonly status_key: number
  /** When it was approved last; null before. */
  readonly approved_at: string | null
  readonly audiences: Selection
}

/** How a campaign names audiences, and when it was approved last; null before. */
export type Named = { readonly id: string; readonly approvedAt: string | null; readonly audiences: Selection }

const LISTS = sql`s.state #> '{head,targeting,segment_audiences}'`

/** Campaigns of these accounts that are not archived and name audiences, by name. */
export async function audienceUses(db: Kysely<Db>, spaceIds: readonly string[]): Promise<readonly AudienceUse[]> {
  const { rows } = await sql<AudienceUse>`
    select l.id, l.name, l.space_id, l.status_key, s.state #>> '{causes,approved,at}' as approved_at, ${LISTS} as audiences
    from rm_campaign_list l join rm_campaign_states s on s.id = l.id
    where l.space_id = any(${[...new Set(spaceIds)]}) and not l.archived
      and s.audiences <> '{}'
    order by l.name, l.id`.execute(db)
  return rows
}

/** Whether the state `s` names the audience. The index has no empty lists: a statement that does not say so cannot use it. */
export const namesAudience = (id: string) => sql`s.audiences <> '{}' and s.audiences @> array[${id}::text]`

/** Campaigns of a white-label that may serve now and name the audience. */
export async function servingUses(db: Kysely<Db>, whitelabelId: string, audienceId: string): Promise<readonly Named[]> {
  const { rows } = await sql<Named>`
    select l.id, s.state #>> '{causes,approved,at}' as "approvedAt", ${LISTS} as audiences
    from rm_campaign_states s join rm_campaign_list l on l.id = s.id left join rm_accounts a on a.space_id = l.space_id
    where ${namesAudience(audienceId)} and ${mayServe(whitelabelId)}`.execute(db)
  return rows
}
