import { FILTER_LENGTH, MOST_OPERATIONS } from '#domain/scim/limits'
import { endpoint, named, position } from './http.ts'
import { approval_id } from './single-sign-on.ts'
import { z } from './zod.ts'

/** SCIM 2.0 (RFC 7643, RFC 7644; fine print 85): a directory creates and removes people of the staff. And the tokens for it. */

// ── Tokens ──

const customise = { access: 'whitelabel.customise', reads: [] } as const
const ofLabel = z.object({ id: z.string() })

export const listScimTokens = endpoint({
  ...customise,
  id: 'scim.tokens',
  method: 'GET',
  path: '/v1/whitelabel/:id/sign-on/scim-tokens',
  summary: 'The address for a directory, and the tokens of the white-label without their secrets',
  params: ofLabel,
  output: named(
    'ScimTokens',
    z.object({
      base_url: z.string().check(z.describe('The address of SCIM to enter at the directory')),
      tokens: z.array(
        z.object({
          id: z.string(),
          created_by: z.string(),
          created_at: z.string(),
          last_used_at: z.nullable(z.string()).check(z.describe('To the minute')),
        }),
      ),
    }),
  ),
})

export const createScimToken = endpoint({
  ...customise,
  id: 'scim.createToken',
  method: 'POST',
  path: '/v1/whitelabel/:id/sign-on/scim-tokens',
  stepUp: 'session',
  summary:
    'A token for a directory; its secret is answered once, and opens nothing while it waits for a second person. At most two',
  params: ofLabel,
  output: z.object({ id: z.string(), secret: z.string(), approval_id, position }),
  write: true,
  secret: true,
})

export const withdrawScimToken = endpoint({
  ...customise,
  id: 'scim.withdrawToken',
  method: 'DELETE',
  path: '/v1/whitelabel/:id/sign-on/scim-tokens/:token',
  stepUp: 'session',
  summary: 'Withdraw a token of a directory; it is refused within five seconds',
  params: z.object({ id: z.string(), token: z.string() }),
  output: z.object({ position }),
  write: true,
})

// ── What directories send and get ──

/** Bytes of a body: 500 members, each with what directories send beside their id. */
const BODY = 256 * 1024
const read = { access: 'directory', reads: [], raw: true, scim: true } as const
const write = { ...read, write: true, bodyLimit: BODY } as const

export const scimError = z.object({
  schemas: z.array(z.string()),
  status: z.string(),
  scimType: z.optional(z.string()),
  detail: z.string(),
})

const resource = z.looseObject({ schemas: z.array(z.string()) })
const user = named('ScimUser', z.looseObject({ schemas: z.array(z.string()), id: z.string() }))
const group = named('ScimGroup', z.looseObject({ schemas: z.array(z.string()), id: z.string() }))
const page = <T extends z.ZodMiniType>(one: T) =>
  z.object({
    schemas: z.array(z.string()),
    totalResults: z.number(),
    startIndex: z.number(),
    itemsPerPage: z.number(),
    Resources: z.array(one),
  })

const text = (most: number) => z.optional(z.string().check(z.maxLength(most)))
const projection = { attributes: text(2000), excludedAttributes: text(2000) }
const number = z.optional(z.string().check(z.regex(/^-?\d{1,9}$/, 'A whole number')))
const list = z.object({
  // Longer ones are refused as filters are.
  filter: text(2 * FILTER_LENGTH),
  startIndex: number,
  count: number,
  ...projection,
})
const oneOf = z.object({ id: z.string() })
const shape = z.object(projection)
const body = z.looseObject({})
const patch = z.object({
  schemas: z.optional(z.array(z.string())),
  Operations: z
    .array(
      z.object({
        op: z.string(),
        path: z.optional(z.string().check(z.maxLength(FILTER_LENGTH))),
        value: z.optional(z.unknown()),
      }),
    )
    .check(z.minLength(1), z.maxLength(MOST_OPERATIONS)),
})

export const scimConfig = endpoint({
  ...read,
  id: 'scim.config',
  method: 'GET',
  path: '/scim/v2/ServiceProviderConfig',
  summary: 'What this service provider supports',
  output: resource,
})

export const scimResourceTypes = endpoint({
  ...read,
  id: 'scim.resourceTypes',
  method: 'GET',
  path: '/scim/v2/ResourceTypes',
  summary: 'The kinds of resources: users and groups',
  output: page(resource),
})

export const scimSchemas = endpoint({
  ...read,
  id: 'scim.schemas',
  method: 'GET',
  path: '/scim/v2/Schemas',
  summary: 'The attributes of users and groups',
  output: page(resource),
})

export const listScimUsers = endpoint({
  ...read,
  id: 'scim.users',
  method: 'GET',
  path: '/scim/v2/Users',
  summary: 'The staff with addresses in verified mail domains, filtered and in pages of 200 at most',
  query: list,
  output: page(user),
})

export const getScimUser = endpoint({
  ...read,
  id: 'scim.user',
  method: 'GET',
  path: '/scim/v2/Users/:id',
  summary: 'A user',
  params: oneOf,
  query: shape,
  output: user,
})

export const createScimUser = endpoint({
  ...write,
  id: 'scim.createUser',
  method: 'POST',
  path: '/scim/v2/Users',
  summary: 'Create a user, who signs in by single sign-on; 409 for a known userName',
  query: shape,
  body: 'json',
  input: body,
  output: user,
  status: 201,
})

export const replaceScimUser = endpoint({
  ...write,
  id: 'scim.replaceUser',
  method: 'PUT',
  path: '/scim/v2/Users/:id',
  summary: 'Replace the attributes of a user; absent ones stay',
  params: oneOf,
  query: shape,
  body: 'json',
  input: body,
  output: user,
})

export const patchScimUser = endpoint({
  ...write,
  id: 'scim.patchUser',
  method: 'PATCH',
  path: '/scim/v2/Users/:id',
  summary: 'Change attributes of a user; `active` deactivates and reactivates',
  params: oneOf,
  query: shape,
  body: 'json',
  input: patch,
  output: user,
})

export const deleteScimUser = endpoint({
  ...write,
  id: 'scim.deleteUser',
  method: 'DELETE',
  path: '/scim/v2/Users/:id',
  summary: 'Deactivate a user for good: the directory sees them no longer, and may create them again',
  params: oneOf,
  output: z.unknown(),
  status: 204,
})

export const listScimGroups = endpoint({
  ...read,
  id: 'scim.groups',
  method: 'GET',
  path: '/scim/v2/Groups',
  summary: 'The roles of the staff as groups, filtered and in pages',
  query: list,
  output: page(group),
})

export const getScimGroup = endpoint({
  ...read,
  id: 'scim.group',
  method: 'GET',
  path: '/scim/v2/Groups/:id',
  summary: 'A group',
  params: oneOf,
  query: shape,
  output: group,
})

export const replaceScimGroup = endpoint({
  ...write,
  id: 'scim.replaceGroup',
  method: 'PUT',
  path: '/scim/v2/Groups/:id',
  summary: 'Replace the members of a group; absent ones stay',
  params: oneOf,
  query: shape,
  body: 'json',
  input: body,
  output: group,
})

export const patchScimGroup = endpoint({
  ...write,
  id: 'scim.patchGroup',
  method: 'PATCH',
  path: '/scim/v2/Groups/:id',
  summary: 'Add and remove members of a group',
  params: oneOf,
  query: shape,
  body: 'json',
  input: patch,
  output: group,
})

export const SCIM_ENDPOINTS = [
  listScimTokens,
  createScimToken,
  withdrawScimToken,
  scimConfig,
  scimResourceTypes,
  scimSchemas,
  listScimUsers,
  getScimUser,
  createScimUser,
  replaceScimUser,
  patchScimUser,
  deleteScimUser,
  listScimGroups,
  getScimGroup,
  replaceScimGroup,
  patchScimGroup,
]
