import { endpoint } from './http.ts'
import { z } from './zod.ts'

/** A copy of what is stored about the signed-in user (fine print 80). */

export const downloadOwnData = endpoint({
  id: 'profile.ownData',
  leaves: true,
  method: 'POST',
  path: '/v1/user/data',
  access: 'profile.own',
  stepUp: 'session-or-password',
  summary:
    'What is stored about the signed-in user, as a ZIP: person.json, messages.json, the picture and README.txt; three a day',
  body: 'json',
  input: z.object({
    password: z.optional(
      z
        .string()
        .check(z.minLength(1), z.maxLength(1000), z.describe('Needed unless the session was proved in the last five minutes')),
    ),
    code: z.optional(
      z.string().check(z.minLength(6), z.maxLength(20), z.describe('Needed with the password while the second factor is on')),
    ),
  }),
  output: z.unknown(),
  reads: [],
  raw: true,
  download: true,
})

export const OWN_DATA_ENDPOINTS = [downloadOwnData]
