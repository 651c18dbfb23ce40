import { statusReason } from './campaign-body.ts'
import { named, position } from './http.ts'
import { z } from './zod.ts'

/** What the calls about one campaign share. */

export const idParams = z.object({ id: z.string() })

export const dryRunQuery = z.object({ dry_run: z.optional(z.stringbool()) })

/** One difference of a content, from and to in the terms of the wire. */
export const change = named('Change', z.object({ path: z.string(), from: z.unknown(), to: z.unknown() }))

/** What a dry run answers in place of an outcome (fine print 35). */
export const dryRun = named(
  'DryRun',
  z.object({
    events: z.array(z.object({ type: z.string(), data: z.unknown() })),
    diff: z.array(change),
    status_key: z.number(),
    status_reasons: z.array(statusReason),
    revision: z.number(),
    moderator_needed: z.boolean(),
  }),
)

/** The least that every campaign command answers. */
export const outcome = named(
  'Outcome',
  z.object({
    id: z.string(),
    status_key: z.number(),
    status_reasons: z.array(statusReason),
    revision: z.number(),
    position,
  }),
)
