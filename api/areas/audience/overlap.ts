import { BUCKETS, HASH_BYTES } from '#commands/audience/audience-port'
import { EVERY_BUCKET, sharedMembers } from '#commands/audience/members'
import { listAudiences, type AudienceRow } from '#projections/audience/queries'
import type { Served } from '#api/areas/services'

/** Audiences that one is compared with: those that changed last. */
const COMPARED = 50
/** Members up to which every hash is compared. Hashes are spread evenly, so a part of the buckets shows the whole. */
const EXACT = 200_000
const SAMPLED = 8

type Overlap = {
  readonly id: string
  readonly name: string
  readonly members: number
  readonly shared: number
  readonly estimated: boolean
}

/** Members that an audience with the other ones of its account, the largest share first. */
export async function overlapsOf(
  { audiences, db }: Served<'audiences' | 'db'>,
  spaceId: string,
  id: string,
): Promise<readonly Overlap[]> {
  const filter = { spaceId, whitelabelId: null, ids: null, name: '', kind: null, status: null }
  const { rows } = await listAudiences(db, { ...filter, page: 0, size: COMPARED + 1 })
  const own = rows.find((row) => row.id === id) ?? (await listAudiences(db, { ...filter, ids: [id], page: 0, size: 1 })).rows[0]
  if (own === undefined || own.version === null) return []
  const others = rows.filter((row) => row.id !== id && row.version !== null && row.members > 0)
  const found = await Promise.all(others.map(async (other) => ({ other, ...(await shared(own, other)) })))
  return found
    .map(({ other, count, estimated }) => ({ id: other.id, name: other.name, members: other.members, shared: count, estimated }))
    .toSorted((a, b) => b.shared - a.shared || (a.name < b.name ? -1 : 1))

  async function shared(a: AudienceRow, b: AudienceRow) {
    const estimated = Math.max(a.members, b.members) > EXACT
    const buckets = estimated ? EVERY_BUCKET.slice(0, SAMPLED) : EVERY_BUCKET
    const of = ({ id: audienceId, version }: AudienceRow) => ({ audienceId, version: version ?? 0 })
    const [left, right] = await Promise.all([audiences.sets.buckets(of(a), buckets), audiences.sets.buckets(of(b), buckets)])
    const count = sharedMembers(left, right)
    const scaled = Math.round((count * BUCKETS) / buckets.length)
    return { count: estimated ? Math.min(scaled, a.members, b.members) : Math.min(count, left.length / HASH_BYTES), estimated }
  }
}
