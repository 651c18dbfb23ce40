import { z } from '#contract/zod'
import { isDay } from '@/lib/date-range'
import { TABLE_GROUPINGS } from '#domain/reports/groupings'
import { REPORT_DEVICES } from '#domain/reports/figures'
import { METRIC_NAMES, TABLE_ROWS } from './report-names.ts'

const day = z.catch(z.optional(z.string().check(z.refine(isDay))), undefined)

/** Known names joined by commas; unknown ones are left out. */
const namesOf = (known: readonly (string | number)[]) =>
  z.catch(
    z.optional(
      z.pipe(
        z.coerce.string().check(z.maxLength(500)),
        z.transform((text) => {
          const names = text.split(',')
          const found = [...new Set(names)].filter((name) => known.some((one) => String(one) === name))
          return found.length === 0 ? undefined : found.join(',')
        }),
      ),
    ),
    undefined,
  )

/** The state of a report is its address: `/reports?campaignId=…&start=…&end=…`, with the same range parameters as the list. */
export const reportSearch = z.object({
  campaignId: z.catch(z._default(z.coerce.string().check(z.maxLength(100)), ''), ''),
  start: day,
  end: day,
  /** Without it the figures are by day. */
  step: z.catch(z.optional(z.literal('hours')), undefined),
  /** Comparison of the figures. */
  compare: z.catch(z.optional(z.literal('previous')), undefined),
  /** Metrics of the cards and the table. */
  metrics: namesOf(METRIC_NAMES),
  /** Metrics of the chart. */
  metric: namesOf(METRIC_NAMES),
  /** The grouping of the table. */
  by: z.catch(z.optional(z.enum(TABLE_GROUPINGS)), undefined),
  /** A saved report to open, by its id: the link of a mail. */
  saved: z.catch(z.optional(z.string().check(z.minLength(1), z.maxLength(100))), undefined),
  /** Order, search and page of the table; pages count from zero. */
  order: z.catch(z.optional(z.enum(['name', ...METRIC_NAMES])), undefined),
  dir: z.catch(z.optional(z.enum(['asc', 'desc'])), undefined),
  q: z.catch(z.optional(z.coerce.string().check(z.minLength(1), z.maxLength(300))), undefined),
  page: z.catch(z.optional(z.coerce.number().check(z.int(), z.positive(), z.lte(100_000))), undefined),
  rows: z.catch(z.optional(z.coerce.number().check(z.refine((rows) => TABLE_ROWS.some((choice) => choice === rows)))), undefined),
  /** Filters: device kinds, the key of a banner size, and a publisher. */
  devices: namesOf(REPORT_DEVICES),
  size: z.catch(z.optional(z.coerce.number().check(z.int(), z.positive())), undefined),
  publisher: z.catch(z.optional(z.coerce.string().check(z.minLength(1), z.maxLength(300))), undefined),
})
export type ReportSearch = z.output<typeof reportSearch>
