import { statusReason } from './campaign-body.ts'
import { fieldValue, named, position } from './http.ts'
import { statusKey } from './sets.ts'
import { z } from './zod.ts'

/** Shared by the calls about one campaign. */

export const idParams = z.object({ id: z.string() })

export const dryRunQuery = z.object({ dry_run: z.optional(z.stringbool()) })

/** One difference of a content; `from` and `to` in wire format. */
export const change = named('Change', z.object({ path: z.string(), from: fieldValue, to: fieldValue }))

/** Answer of a dry run in place of an outcome (fine print 35). */
export const dryRun = named(
  'DryRun',
  z.object({
    events: z.array(z.object({ type: z.string(), data: z.unknown().check(z.describe('What the event stores, by its type')) })),
    diff: z.array(change),
    status_key: statusKey,
    status_reasons: z.array(statusReason),
    revision: z.number(),
    moderator_needed: z.boolean(),
  }),
)

export type DryRun = z.output<typeof dryRun>

/** The minimal answer of every campaign command. */
export const outcome = named(
  'Outcome',
  z.object({
    id: z.string(),
    status_key: statusKey,
    status_reasons: z.array(statusReason),
    revision: z.number(),
    position,
  }),
)
