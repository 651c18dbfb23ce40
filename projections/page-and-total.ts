import { sql, type Kysely, type RawBuilder } from 'kysely'

/**
 * One page of something and how many there are in all, as one statement sees them: two statements answer from two moments, so that a
 * page could hold what its total no longer counts. `page` selects the rows, `all` is what follows `from` when they are counted, and
 * `order` orders the rows of `page`, which are called that.
 */
export async function pageAndTotal<Row extends object>(
  db: Kysely<never>,
  { page, order, all }: Readonly<{ page: RawBuilder<Row>; order: RawBuilder<unknown>; all: RawBuilder<unknown> }>,
): Promise<{ readonly rows: readonly Row[]; readonly total: number }> {
  type Counted = Row & { readonly counted: number; readonly on_page: true | null }
  const { rows } = await sql<Counted>`
    select page.*, counted.n as counted
    from (select count(*)::int as n from ${all}) counted left join (select true as on_page, found.* from (${page}) found) page on true
    order by ${order}`.execute(db)
  return {
    // The total stands alone when the page is empty, beside a row of nothing.
    rows: rows.filter(({ on_page }) => on_page).map(({ counted: _, on_page: __, ...row }) => row as unknown as Row),
    total: rows[0]?.counted ?? 0,
  }
}
