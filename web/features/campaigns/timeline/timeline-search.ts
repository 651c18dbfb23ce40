import { z } from '#contract/zod'

/** The moment that a timeline shows, and its period, are its address: a link reproduces both. */

export const PERIODS = [7, 30, 90] as const

const revision = z.catch(z.optional(z.coerce.number().check(z.int(), z.positive())), undefined)
const instant = z.catch(
  z.optional(
    z.string().check(
      z.maxLength(40),
      z.refine((text) => /^\d{4}-/.test(text) && !Number.isNaN(Date.parse(text))),
    ),
  ),
  undefined,
)

export const timelineSearch = z.object({
  /** The moment, ISO 8601; without it and `revision`, now. */
  at: instant,
  /** The moment of a revision: exact where several revisions share one instant. */
  revision,
  days: z.catch(z.optional(z.coerce.number().check(z.refine((days) => PERIODS.some((known) => known === days)))), undefined),
  /** The compared revisions. */
  from: revision,
  to: revision,
})
export type TimelineSearch = z.output<typeof timelineSearch>
