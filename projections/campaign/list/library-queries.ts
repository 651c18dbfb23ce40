import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { FileRole } from '#domain/campaign/content/creatives'
import { FITTING } from '#domain/campaign/content/media-rules'
import type { Db } from '#migrations/db'
import { holdsText } from '#projections/name-search'

/** The newest campaigns of an account, whose files its library has. */
const CAMPAIGNS = 5000

/** Beginnings of the content types of a kind. */
const KINDS = { image: 'image/', html: 'application/zip', video: 'video/', audio: 'audio/' } as const
export type FileKind = keyof typeof KINDS
export const kindOf = (contentType: string): FileKind =>
  contentType.startsWith(KINDS.image)
    ? 'image'
    : contentType.startsWith(KINDS.video)
      ? 'video'
      : contentType.startsWith(KINDS.audio)
        ? 'audio'
        : 'html'

export type LibraryFilter = {
  /** Part of a name, any case. */
  readonly name: string | null
  readonly kind: FileKind | null
  /** Only files that fit this role. */
  readonly role: FileRole | null
  /** Pixels. */
  readonly width: number | null
  readonly height: number | null
  /** The last file of the page before. */
  readonly after: { readonly usedAt: string; readonly id: string } | null
  readonly limit: number
}

export type LibraryFile = {
  readonly id: string
  readonly name: string
  readonly content_type: string
  readonly bytes: number
  readonly width: number | null
  readonly height: number | null
  readonly seconds: number | null
  readonly is_html: boolean
  readonly warnings: readonly string[]
  readonly reviewed: boolean
  /** Time of the newest save of a campaign that has it. */
  readonly used_at: string
  readonly campaigns: number
}

const startsWith = (types: readonly string[]) =>
  sql.join(
    types.map((type) => sql`starts_with(f.content_type, ${type})`),
    sql` or `,
  )

function conditions({ name, kind, role, width, height, after }: LibraryFilter): RawBuilder<unknown> {
  const parts = [sql`true`]
  if (name !== null && name !== '') parts.push(holdsText(sql`app.folded(normalize(f.name))`, name))
  if (kind !== null) parts.push(sql`starts_with(f.content_type, ${KINDS[kind]})`)
  if (width !== null) parts.push(sql`f.width = ${width}`)
  if (height !== null) parts.push(sql`f.height = ${height}`)
  if (after !== null) parts.push(sql`(u.used_at, u.id) < (${after.usedAt}, ${after.id})`)
  if (role === null) return sql.join(parts, sql` and `)
  const { types, sizes, mostBytes } = FITTING[role]
  parts.push(sql`(${startsWith(types)})`)
  if (sizes === 'square') parts.push(sql`f.width = f.height`)
  else if (sizes !== null)
    parts.push(sql`(f.width, f.height) in (${sql.join(sizes.map((size) => sql`(${size.width}::int, ${size.height}::int)`))})`)
  if (mostBytes !== null) parts.push(sql`f.bytes <= ${mostBytes}`)
  return sql.join(parts, sql` and `)
}

/**
 * The files of the account's campaigns, the last used first. Files whose records are gone are not among them. Pages follow each other
 * by the time of use, so a file that is used meanwhile appears on no page twice.
 */
export async function libraryOf(db: Kysely<Db>, spaceId: string, filter: LibraryFilter): Promise<readonly LibraryFile[]> {
  const { rows } = await sql<LibraryFile>`
    with u as (
      select x.id collate "C" as id, max(l.updated_at) as used_at, count(*)::int as campaigns
      from (select id, updated_at from rm_campaign_list where space_id = ${spaceId}
            order by created_at desc, id limit ${CAMPAIGNS}) l
      join rm_campaign_states s on s.id = l.id cross join unnest(s.files) as x(id)
      group by x.id)
    select u.id, u.used_at, u.campaigns, f.name, f.content_type, f.bytes, f.width, f.height, f.seconds, f.warnings,
      f.entries is not null as is_html, f.reviewed_at is not null as reviewed
    from u join app.files f on f.id = u.id and f.stored
    where ${conditions(filter)}
    order by u.used_at desc, u.id desc limit ${filter.limit}`.execute(db)
  return rows
}
