import { FILTER_LENGTH, MOST_ON_PAGE } from '#domain/scim/limits'
import { GROUP_SCHEMA, USER_SCHEMA } from '#domain/scim/scim'

/** Questions about this service that RFC 7643 sections 5 to 7 let a client ask. */

const CORE = 'urn:ietf:params:scim:schemas:core:2.0'

export const serviceProviderConfig = (base: string, help: string) => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  documentationUri: help,
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MOST_ON_PAGE },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Token of the white-label',
      description: `An owner makes it on the page Settings. Filters have ${FILTER_LENGTH} characters at most.`,
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

const resourceType = (base: string, id: 'User' | 'Group', schema: string) => ({
  schemas: [`${CORE}:ResourceType`],
  id,
  name: id,
  endpoint: `/${id}s`,
  description: id === 'User' ? 'A person of the staff' : 'A role of the staff',
  schema,
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${id}` },
})

export const resourceTypes = (base: string) => [
  resourceType(base, 'User', USER_SCHEMA),
  resourceType(base, 'Group', GROUP_SCHEMA),
]

type Mutability = 'readOnly' | 'readWrite' | 'immutable'
type Described = {
  readonly type?: string
  readonly multiValued?: boolean
  readonly required?: boolean
  readonly caseExact?: boolean
  readonly mutability?: Mutability
  readonly uniqueness?: 'none' | 'server'
  readonly subAttributes?: readonly object[]
}

const attribute = (name: string, description: string, over: Described = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...over,
})
const readOnly = (name: string, description: string, over: Described = {}) =>
  attribute(name, description, { mutability: 'readOnly', ...over })

const USER_ATTRIBUTES = [
  attribute('userName', 'The mail address, in a verified mail domain of the white-label', {
    required: true,
    mutability: 'immutable',
    uniqueness: 'server',
  }),
  attribute('externalId', 'The id of the directory', { caseExact: true }),
  attribute('name', 'The name', {
    type: 'complex',
    subAttributes: [
      attribute('givenName', 'The first name'),
      attribute('familyName', 'The last name'),
      readOnly('formatted', 'Both'),
    ],
  }),
  readOnly('displayName', 'The name, or the address where there is none'),
  attribute('active', 'Whether the person may sign in', { type: 'boolean' }),
  readOnly('emails', 'The userName', {
    type: 'complex',
    multiValued: true,
    subAttributes: [readOnly('value', 'The address'), readOnly('type', 'work'), readOnly('primary', 'true', { type: 'boolean' })],
  }),
  readOnly('groups', 'The roles', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      readOnly('value', 'The id of the group', { caseExact: true }),
      readOnly('$ref', 'Its address', { type: 'reference', caseExact: true }),
      readOnly('display', 'Its name'),
      readOnly('type', 'direct'),
    ],
  }),
]

const GROUP_ATTRIBUTES = [
  readOnly('displayName', 'The role', { required: true, uniqueness: 'server' }),
  attribute('members', 'The people with the role', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The id of the user', { mutability: 'immutable', caseExact: true }),
      readOnly('$ref', 'Its address', { type: 'reference', caseExact: true }),
      readOnly('display', 'The userName'),
      readOnly('type', 'User'),
    ],
  }),
]

const schema = (base: string, id: string, name: string, attributes: readonly object[]) => ({
  schemas: [`${CORE}:Schema`],
  id,
  name,
  description: name,
  attributes: [...attributes],
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
})

export const schemas = (base: string) => [
  schema(base, USER_SCHEMA, 'User', USER_ATTRIBUTES),
  schema(base, GROUP_SCHEMA, 'Group', GROUP_ATTRIBUTES),
]
