import { endpoint } from './http.ts'
import { z } from './zod.ts'

/** Most events that one call reads: with time to spare before the longest download ends. */
export const MOST_EXPORTED = 1_000_000

const logPosition = z.string().check(z.regex(/^\d{1,19}$/, 'A position is a decimal number'))
const instant = z.string().check(z.maxLength(40))
const id = z.string().check(z.maxLength(100))

/** A part of the log as a signed file (docs/proof.md). */
export const exportLog = endpoint({
  id: 'audit.export',
  reads: [],
  method: 'GET',
  path: '/v1/audit/export',
  access: 'log.verify',
  stepUp: 'session',
  summary: 'Events in reach as signed lines of JSON, which prove themselves with the public key of the log alone',
  query: z.object({
    after: z.optional(logPosition.check(z.describe('Events after this position; from the first one without it'))),
    up_to: z.optional(logPosition.check(z.describe('Events up to and including this position'))),
    limit: z.optional(
      z.coerce
        .number()
        .check(
          z.int(),
          z.gte(1),
          z.lte(MOST_EXPORTED),
          z.describe('Most events that are read, whatever the filters keep; `next` of the last line says where to go on'),
        ),
    ),
    white_label: z.optional(id),
    space: z.optional(id),
    actor: z.optional(id),
    types: z.optional(z.string().check(z.maxLength(4000), z.describe('Types of events, separated by commas'))),
    from: z.optional(instant.check(z.describe('Events of this instant of business time or later'))),
    to: z.optional(instant.check(z.describe('Events before this instant'))),
    personal: z.optional(
      z.enum(['true', 'false']).check(z.describe('Adds personal values in plain text beside the stored bytes')),
    ),
  }),
  output: z.unknown(),
  raw: true,
  download: true,
})

export const AUDIT_EXPORT_ENDPOINTS = [exportLog]
