import { sql, type Kysely } from 'kysely'
import type { Selection } from '#domain/campaign/content/content'
import type { Db } from '#migrations/db'

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

const LISTS = sql`s.state #> '{head,targeting,segment_audiences}'`

/** Campaigns of these accounts that are not archived and name audiences, by name. */
export async function audienceUses(db: Kysely<Db>, spaceIds: readonly string[]): Promise<readonly AudienceUse[]> {
  const { rows } = await sql<AudienceUse>`
    select l.id, l.name, l.space_id, l.status_key, s.state #>> '{causes,approved,at}' as approved_at, ${LISTS} as audiences
    from rm_campaign_list l join rm_campaign_states s on s.id = l.id
    where l.space_id = any(${[...new Set(spaceIds)]}) and not l.archived
      and json_array_length(${LISTS} -> 'include') + json_array_length(${LISTS} -> 'includeAny') + json_array_length(${LISTS} -> 'exclude') > 0
    order by l.name, l.id`.execute(db)
  return rows
}

export const idsIn = ({ includeAny, include, exclude }: Selection): readonly string[] => [...includeAny, ...include, ...exclude]
