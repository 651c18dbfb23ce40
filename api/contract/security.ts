import { endpoint } from './http.ts'
import { z } from './zod.ts'

export const readSecurityEvents = endpoint({
  id: 'audit.security',
  method: 'GET',
  path: '/v1/audit/security',
  access: 'security.read',
  summary:
    'Security events in reach after an id, in order, or the newest first before one: sign-ins, refusals, switches, changes of credentials and roles',
  query: z.object({
    after: z.optional(z.string().check(z.regex(/^\d{1,18}$/, 'after is the id of an event'))),
    before: z
      .optional(z.string().check(z.regex(/^\d{1,18}$/, 'before is the id of an event')))
      .check(z.describe('Needs order=desc, as after needs order=asc')),
    order: z.optional(z.enum(['asc', 'desc'])).check(z.describe('By id, ascending by default')),
    limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(1000))),
  }),
  output: z.array(
    z.object({
      id: z.string(),
      at: z.string(),
      type: z.string(),
      whitelabel_id: z.nullable(z.string()),
      person_id: z.nullable(z.string()),
      person_name: z.nullable(z.string()).check(z.describe('Full name; null without a person, and for one who is not known')),
      client_network: z.nullable(
        z.string().check(z.describe('The /24 or /64 of a signed-in person; a keyed hash of it for anyone else')),
      ),
      details: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
      count: z.number(),
    }),
  ),
  reads: [],
})

export const SECURITY_ENDPOINTS = [readSecurityEvents]
