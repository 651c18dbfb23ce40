import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { AudienceVisitors } from '#commands/audience/audience-port'
import { fieldsOf, matchesVisitor, pagesOf, windowOf, type VisitorFacts, type VisitorField } from '#domain/audience/visitor-rules'
import type { Db } from '#migrations/db'

/** Visitors of one statement. */
const PAGE = 5000

/**
 * Visitors by their events, in PostgreSQL. Events whose sender did not identify the visitor have their own id as visitor: nothing
 * can reach those, and they are left out. So are events that are not confirmed (fine print 111).
 */
export const createAudienceVisitors = (db: Kysely<Db>): AudienceVisitors => ({
  async each({ spaceId, rules, now, most }, found) {
    const fields = [...fieldsOf(rules)]
    const shown = sql.join([sql`visitor`, ...fields.map((field) => sql`${summaryOf(field, now)} as ${sql.ref(field)}`)])
    let seen = 0
    for (let after = ''; most === null || seen < most;) {
      const { rows } = await sql<{ readonly visitor: string } & { readonly [Field in VisitorField]?: never }>`
        select ${shown} from app.tracked_events
        where space_id = ${spaceId} and visitor <> id and visitor > ${after} and mark is null and time <= ${now}::timestamptz
        group by visitor order by visitor limit ${PAGE}`.execute(db)
      for (const row of rows) if (matchesVisitor(rules, factsIn(row, fields))) found(row.visitor)
      seen += rows.length
      after = rows.at(-1)?.visitor ?? ''
      if (rows.length < PAGE) break
    }
    return seen
  },
})

/** Summary that a filter compares, over the events of one visitor. */
function summaryOf(field: VisitorField, now: string): RawBuilder<unknown> {
  const days = windowOf(field)
  const within = days === null ? sql`true` : sql`time > ${now}::timestamptz - make_interval(days => ${days})`
  const name = field.replace(/_(\d+d|total)$/, '')
  switch (name) {
    case 'event':
      return sql`coalesce(array_agg(distinct name) filter (where ${within}), '{}')`
    case 'events':
      return sql`(count(*) filter (where ${within}))::int`
    case 'conversions':
      return sql`(count(*) filter (where ${within} and conversion is not null))::int`
    case 'value':
      // Exact: a sum of floating-point numbers depends on their order.
      return sql`coalesce(sum(value::numeric) filter (where ${within}), 0)::float8`
    case 'days_since_first':
      return sql`floor(extract(epoch from ${now}::timestamptz - min(time)) / 86400)::int`
    case 'days_since_last':
      return sql`floor(extract(epoch from ${now}::timestamptz - max(time)) / 86400)::int`
    case 'page':
      return sql`coalesce(array_agg(distinct url) filter (where url is not null), '{}')`
    case 'device_model':
      return sql`coalesce(array_agg(distinct device_model) filter (where device_model is not null), '{}')`
    default:
      return sql`array_agg(distinct source)`
  }
}

const factsIn = (row: Readonly<Record<string, unknown>>, fields: readonly VisitorField[]): VisitorFacts =>
  Object.fromEntries(fields.map((field) => [field, field === 'page' ? pages(row[field]) : row[field]])) as VisitorFacts

const pages = (urls: unknown): readonly string[] =>
  Array.isArray(urls) ? [...new Set(urls.flatMap((url) => pagesOf(String(url))))] : []
