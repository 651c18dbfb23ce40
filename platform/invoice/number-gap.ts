import type { PoolClient } from 'pg'
import { documentNumber } from '#domain/invoice/amounts'

/** Numbers that are left out at least: an installation does not issue as many between a backup and the loss of its database. */
const GAP = 10_000

/** A row without a white-label holds for those that have no number: each number from it on is free in all of them. */
export const EVERY_WHITE_LABEL = ''

export type NumberGap = {
  /** Null for the white-labels without a number. */
  readonly whitelabelId: string | null
  /** The newest number that the backup has; null without one. */
  readonly last: string | null
  /** The next document has a higher one. */
  readonly skippedTo: string
}

/**
 * Leaves out numbers of invoices and credit notes in every white-label, after a restore: those that were issued after the backup are
 * lost here, and their numbers are at customers. At least as many as the newest two years have, for large white-labels.
 */
export async function leaveNumberGap(client: Pick<PoolClient, 'query'>, at: string): Promise<readonly NumberGap[]> {
  const year = new Date(at).getUTCFullYear()
  const { rows } = await client.query<{ whitelabel_id: string; last: number; last_year: number; number: number }>(
    `with known as (
      select w.id, coalesce(max(n.number), 0) as last, coalesce(max(n.year), $2) as last_year,
        greatest($1, count(*) filter (where n.year >= $2 - 1))::int as gap
      from (select $4::text as id union select whitelabel_id from app.invoice_numbers) w
      left join app.invoice_numbers n on n.whitelabel_id = w.id group by w.id
    ), left_out as (
      insert into app.invoice_numbers (whitelabel_id, number, document_id, year)
      select id, last + gap, 'gap ' || $3 || ' ' || id, $2 from known on conflict (document_id) do nothing
      returning whitelabel_id, number
    )
    select l.whitelabel_id, k.last, k.last_year, l.number from left_out l join known k on k.id = l.whitelabel_id
    order by l.whitelabel_id`,
    [GAP, year, at, EVERY_WHITE_LABEL],
  )
  return rows.map(({ whitelabel_id: id, last, last_year, number }) =>
    id === EVERY_WHITE_LABEL
      ? { whitelabelId: null, last: null, skippedTo: String(number) }
      : {
          whitelabelId: id,
          last: last === 0 ? null : documentNumber(id, last_year, last),
          skippedTo: documentNumber(id, year, number),
        },
  )
}

/** For the operator. */
export const gapLines = (gaps: readonly NumberGap[]): readonly string[] =>
  gaps.map(
    ({ whitelabelId, last, skippedTo }) =>
      `Invoices and credit notes of ${whitelabelId ?? 'other white-labels'} go on after ${skippedTo}: ` +
      `${last === null ? 'earlier numbers' : `numbers after ${last}`} may be at customers already`,
  )
