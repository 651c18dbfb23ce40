import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Db } from '#migrations/db'

export type Paged<Row> = {
  /** All matches as narrow rows: the key and the columns of `order`. */
  readonly found: RawBuilder<unknown>
  /** Order of the rows of `found`, and of those of `shown`, which are both called `page`. */
  readonly order: RawBuilder<unknown>
  /** Counts from zero. */
  readonly page: number
  readonly size: number
  /** The rows of `page` with all their columns. */
  readonly shown: RawBuilder<Row>
}

/**
 * One page and the total, in one statement: two statements would see two snapshots. The search, the expensive part of a list,
 * runs once.
 */
export async function pageAndTotal<Row extends object>(
  db: Kysely<Db>,
  { found, order, page, size, shown }: Paged<Row>,
): Promise<{ readonly rows: readonly Row[]; readonly total: number }> {
  type Counted = Row & { readonly counted: number; readonly on_page: true | null }
  const { rows } = await sql<Counted>`
    with found as materialized (${found}),
         page as (select * from found page order by ${order} limit ${size} offset ${page * size})
    select page.*, counted.n as counted
    from (select count(*)::int as n from found) counted left join (select true as on_page, shown.* from (${shown}) shown) page on true
    order by ${order}`.execute(db)
  return {
    // An empty page still returns one row, with the total only.
    rows: rows.filter(({ on_page }) => on_page).map(({ counted: _, on_page: __, ...row }) => row as unknown as Row),
    total: rows[0]?.counted ?? 0,
  }
}
