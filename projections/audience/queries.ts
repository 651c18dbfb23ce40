import { type AudienceStatus, type VersionStatus } from '#domain/audience/audience-status'
import { sql, type Kysely } from 'kysely'
import type { AudienceKind, VersionCounts } from '#domain/audience/audience'
import type { RuleGroup } from '#domain/campaign/content/content'
import { allOf, anyOf } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import { holdsText } from '../name-search.ts'
import { pageAndTotal } from '../page-and-total.ts'

export type AudienceRow = {
  readonly id: string
  readonly space_id: string
  readonly whitelabel_id: string
  readonly space_name: string
  readonly kind: AudienceKind
  readonly name: string
  readonly rules: RuleGroup | null
  readonly status: AudienceStatus
  /** The newest version that is ready; null before the first. */
  readonly version: number | null
  readonly created_by: string
  readonly created_at: string
  readonly updated_at: string
  /** Counts of that version. */
  readonly rows: number
  readonly rejected: number
  readonly duplicates: number
  readonly accepted: number
  /** Members now: erasures and rules change them after the version was ready. */
  readonly members: number
}

const SHOWN = sql`
  a.id, a.space_id, a.whitelabel_id, coalesce(acc.name, '') as space_name, a.kind, a.name, a.rules, a.status, a.ready as version, a.created_by, a.created_at,
  a.updated_at,
  coalesce(v.rows, 0) as rows, coalesce(v.rejected, 0) as rejected, coalesce(v.duplicates, 0) as duplicates,
  coalesce(v.accepted, 0) as accepted, coalesce(s.members, 0) as members`
const BESIDE = sql`
  left join rm_audience_versions v on v.audience_id = a.id and v.version = a.ready
  left join rm_accounts acc on acc.space_id = a.space_id
  left join app.audience_sets s on s.audience_id = a.id and s.version = a.ready`

export type AudienceFilter = {
  /** Account, or white-label; everything for neither. */
  readonly spaceId: string | null
  readonly whitelabelId: string | null
  readonly ids: readonly string[] | null
  readonly name: string
  readonly kind: AudienceKind | null
  readonly status: AudienceStatus | null
  readonly page: number
  readonly size: number
}

/** Last changed first. */
export const listAudiences = (db: Kysely<Db>, filter: AudienceFilter) => {
  const { spaceId, whitelabelId, ids, name, kind, status, page, size } = filter
  const conditions = [
    sql`true`,
    ...(spaceId === null ? [] : [sql`space_id = ${spaceId}`]),
    ...(whitelabelId === null ? [] : [sql`whitelabel_id = ${whitelabelId}`]),
    ...(ids === null ? [] : [sql`id = any(${[...ids]})`]),
    ...(name === '' ? [] : [holdsText(sql`search_name`, name)]),
    ...(kind === null ? [] : [sql`kind = ${kind}`]),
    ...(status === null ? [] : [sql`status = ${status}`]),
  ]
  return pageAndTotal(db, {
    found: sql`select id, updated_at from rm_audiences where ${sql.join(conditions, sql` and `)}`,
    order: sql`page.updated_at desc, page.id`,
    page,
    size,
    shown: sql<AudienceRow>`select ${SHOWN} from page join rm_audiences a on a.id = page.id ${BESIDE}`,
  })
}

export async function findAudience(db: Kysely<Db>, id: string): Promise<AudienceRow | null> {
  const { rows } = await sql<AudienceRow>`select ${SHOWN} from rm_audiences a ${BESIDE} where a.id = ${id}`.execute(db)
  return rows[0] ?? null
}

export type VersionRow = VersionCounts & {
  readonly audience_id: string
  readonly version: number
  readonly status: VersionStatus
  readonly rules: RuleGroup | null
  readonly code: number | null
  readonly started_by: string
  readonly started_at: string
  readonly finished_at: string | null
}

/** Newest first. */
export async function versionsOf(db: Kysely<Db>, ids: readonly string[]): Promise<readonly VersionRow[]> {
  return db
    .selectFrom('rm_audience_versions')
    .select(['audience_id', 'version', 'status', 'rules', 'rows', 'accepted', 'rejected', 'duplicates', 'reasons', 'code'])
    .select(['started_by', 'started_at', 'finished_at'])
    .where('audience_id', '=', anyOf(ids))
    .orderBy('audience_id')
    .orderBy('version', 'desc')
    .$castTo<VersionRow>()
    .execute()
}

/** Audiences of an account that are not deleted. */
export async function countAudiences(db: Kysely<Db>, spaceId: string): Promise<number> {
  const audiences = db.selectFrom('rm_audiences').select(sql<number>`count(*)::int`.as('count'))
  return (await audiences.where('space_id', '=', spaceId).executeTakeFirst())?.count ?? 0
}

type DueVersion = {
  readonly audience_id: string
  readonly version: number
  readonly space_id: string
  readonly whitelabel_id: string
  readonly rules: RuleGroup
  readonly is_new: boolean
  /** Whether the version is the newest one. */
  readonly newest: boolean
  readonly has_events: boolean
  /** Seconds since its members were determined. */
  readonly age: number
}

/** Versions of dynamic audiences, with what decides whether their members must be determined again. */
export async function dynamicVersions(db: Kysely<Db>): Promise<readonly DueVersion[]> {
  const { rows } = await sql<DueVersion>`
    select v.audience_id, v.version, a.space_id, a.whitelabel_id, v.rules, s.audience_id is null or v.status = 'processing' as is_new,
           v.version = max(v.version) over (partition by v.audience_id) as newest,
           coalesce(exists (
             select from app.tracked_events e where e.space_id = a.space_id and e.received_at > s.seen_until
           ), true) as has_events,
           coalesce(extract(epoch from now() - s.computed_at), 0)::float8 as age
    from rm_audience_versions v
    join rm_audiences a on a.id = v.audience_id and a.kind = 'dynamic'
    left join app.audience_sets s on s.audience_id = v.audience_id and s.version = v.version`.execute(db)
  return rows
}

/** Versions whose file failed and whose events do not say so. */
export async function unrecordedFailures(
  db: Kysely<Db>,
  limit: number,
  except: readonly string[],
): Promise<readonly { readonly audience_id: string; readonly version: number }[]> {
  return db
    .selectFrom('app.audience_uploads as u')
    .innerJoin('rm_audience_versions as v', (join) =>
      join.onRef('v.audience_id', '=', 'u.audience_id').onRef('v.version', '=', 'u.version'),
    )
    .select(['v.audience_id', 'v.version'])
    .where('u.state', '=', 'failed')
    .where('v.status', '=', 'processing')
    .where(sql<string>`v.audience_id || ' ' || v.version`, '<>', allOf(except))
    .orderBy('u.received_at')
    .limit(limit)
    .execute()
}

/** The account and the name of an audience; null for an unknown id. */
export async function audiencePlace(db: Kysely<Db>, id: string) {
  const audiences = db.selectFrom('rm_audiences').select(['space_id', 'whitelabel_id', 'name'])
  return (await audiences.where('id', '=', id).executeTakeFirst()) ?? null
}
