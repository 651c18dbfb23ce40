import { sql, type Expression } from 'kysely'

/** Expressions for the query builder, with the types that columns have. */

export const NOW = sql<Date>`now()`

/** An instant, ISO 8601. */
export const timestamptz = (iso: string) => sql<Date>`${iso}::timestamptz`

/** ISO 8601 with milliseconds. */
export const isoText = <T extends Date | null>(at: Expression<T>) =>
  sql<string | Extract<T, null>>`to_char(${at} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The right side of `column = any(values)`: unlike `in`, one statement for any number of values, and none may be given. */
export const anyOf = <T>(values: Iterable<T>) => sql<T>`any(${[...values]})`

/** `<> all(…)`: none of the texts. */
export const allOf = (values: readonly string[]) => sql<string>`all(${[...values]}::text[])`

/** So many seconds from now. */
export const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`
