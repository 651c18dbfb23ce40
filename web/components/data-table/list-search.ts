import { z } from '#contract/zod'
import { hiddenSearch } from './table-view.ts'

const LAST_PAGE = 1_000_000

/** Search parameter of a page that counts from zero; the first page is omitted from the URL. */
export const pageSearch = z.catch(z.optional(z.coerce.number().check(z.int(), z.positive(), z.lte(LAST_PAGE))), undefined)

/** The value of `pageSearch` for a page. */
export const pageParam = (page: number | undefined): number | undefined => (page === 0 ? undefined : page)

/** Search parameter of a page that counts from zero and is always set. */
export const pageFromZero = z.catch(z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(LAST_PAGE)), 0), 0)

/** Search parameters of every full list page: page, rows per page and hidden columns. `rows` is the default number of rows. */
export const listSearchShape = <Rows extends number>({
  choices,
  rows,
}: {
  readonly choices: readonly Rows[]
  readonly rows: Rows
}) => ({
  page: pageFromZero,
  rows: z.catch(z._default(z.coerce.number().check(z.refine((asked) => choices.some((known) => known === asked))), rows), rows),
  hide: hiddenSearch,
})

/** Search parameters of the order of a list, for its sortable columns. */
export const orderSearchShape = <const Sort extends string>(sorts: readonly Sort[], dir: 'asc' | 'desc') => ({
  sort: z.catch(z.optional(z.enum(sorts)), undefined),
  dir: z.catch(z._default(z.enum(['asc', 'desc']), dir), dir),
})

/** Search parameters of a list whose columns can be moved and whose rows can be compact. */
export const arrangedSearchShape = () => ({
  columns: hiddenSearch,
  density: z.catch(z.optional(z.literal('compact')), undefined),
})
