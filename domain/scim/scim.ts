import type { Role } from '../kit/access.ts'
import { GIVEN_ROLES } from '../single-sign-on/admission.ts'
import { rolesOfTeam } from '../account/team.ts'
import { attributePath, matches, parseFilter, type Json } from './filter.ts'
import { MOST_MEMBERS } from './limits.ts'
import { beginning } from '../kit/text.ts'

/** Users and groups of a directory by SCIM 2.0 (RFC 7643 and 7644): what is read from bodies and shown in answers (fine print 85). */

/** Characters of an external id. */
const EXTERNAL_ID_LENGTH = 300

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'

/** Why a request is refused (RFC 7644 section 3.12). */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'uniqueness'
export type Reading<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'fault'; readonly scimType: ScimType; readonly detail: string }

const read = <T>(value: T): Reading<T> => ({ kind: 'read', value })
const fault = (scimType: ScimType, detail: string) => ({ kind: 'fault', scimType, detail }) as const

/** Fields of a user that a directory may write. The address is the name, and the only address. */
export type UserFields = {
  readonly userName: string
  readonly externalId: string | null
  readonly givenName: string
  readonly familyName: string
  readonly active: boolean
}

export type User = UserFields & {
  readonly id: string
  readonly roles: readonly Role[]
  readonly created: string
  readonly lastModified: string
}

/** Each role of the staff is a group of this name. System administrators stand above white-labels. */
export const GROUPS: readonly Role[] = rolesOfTeam(true).filter((role) => GIVEN_ROLES.includes(role))

/** A user's resource; `base` is the address of the service. */
export function userResource(user: User, base: string): { readonly [key: string]: Json } {
  const { id, userName, externalId, givenName, familyName, active, roles, created, lastModified } = user
  const formatted = `${givenName} ${familyName}`.trim()
  return {
    schemas: [USER_SCHEMA],
    id,
    ...(externalId === null ? {} : { externalId }),
    userName,
    name: { givenName, familyName, formatted },
    displayName: formatted === '' ? userName : formatted,
    active,
    emails: [workAddress(userName)],
    groups: GROUPS.filter((role) => roles.includes(role)).map((role) => ({
      value: role,
      $ref: `${base}/Groups/${role}`,
      display: role,
      type: 'direct',
    })),
    meta: { resourceType: 'User', created, lastModified, location: `${base}/Users/${id}` },
  }
}

const workAddress = (value: string) => ({ value, type: 'work', primary: true })

function isWorkAddress(where: string): boolean {
  const filter = parseFilter(where)
  return filter !== null && matches(filter, workAddress(''), 'emails.')
}

/** A group's resource, with its members among the users. */
export const groupResource = (role: Role, users: readonly User[], base: string): { readonly [key: string]: Json } => ({
  schemas: [GROUP_SCHEMA],
  id: role,
  displayName: role,
  members: users
    .filter(({ roles }) => roles.includes(role))
    .map(({ id, userName }) => ({ value: id, $ref: `${base}/Users/${id}`, display: userName, type: 'User' })),
  meta: { resourceType: 'Group', location: `${base}/Groups/${role}` },
})

// ── Bodies ──

export type Body = { readonly [key: string]: unknown }
export type Operation = { readonly op: string; readonly path?: string | undefined; readonly value?: unknown }

const isBody = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)
const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

/** One attribute gets a value; undefined takes the value away. */
type Assignment = { readonly attribute: string; readonly value: unknown }

/** The attributes of an object, those of `name` by their paths. */
function assignmentsOf(body: Body): readonly Assignment[] {
  return Object.entries(body).flatMap(([key, value]) => {
    const attribute = attributePath(key)
    if (attribute === null) return []
    if (attribute === 'name' && isBody(value))
      return Object.entries(value).map(([part, inner]) => ({ attribute: `name.${part.toLowerCase()}`, value: inner }))
    return [{ attribute, value }]
  })
}

/**
 * The user that a body of POST or PUT describes. Attributes that are absent keep what `before` has (RFC 7644 section 3.5.1 leaves it to
 * the server); those that the product does not hold are ignored, and so are addresses beside the user name.
 */
export function readUser(body: Body, before: UserFields): Reading<UserFields> {
  const known = assignmentsOf(body).filter(({ attribute }) => !attribute.startsWith('emails'))
  return assigned(before, known)
}

function assigned(before: UserFields, assignments: readonly Assignment[]): Reading<UserFields> {
  let fields = before
  for (const assignment of assignments) {
    const next = assignedOne(fields, assignment)
    if (next.kind === 'fault') return next
    fields = next.value
  }
  return read(fields)
}

function assignedOne(fields: UserFields, { attribute, value }: Assignment): Reading<UserFields> {
  const isNothing = value === undefined || value === null
  switch (attribute) {
    case 'username':
      return typeof value === 'string' && value.trim() !== ''
        ? read({ ...fields, userName: value.trim().toLowerCase() })
        : fault('invalidValue', 'userName is a mail address')
    case 'externalid':
      if (isNothing) return read({ ...fields, externalId: null })
      return typeof value === 'string' && value.length <= EXTERNAL_ID_LENGTH
        ? read({ ...fields, externalId: value === '' ? null : value })
        : fault('invalidValue', `externalId is a text of ${EXTERNAL_ID_LENGTH} characters at most`)
    case 'name':
      return isNothing ? read({ ...fields, givenName: '', familyName: '' }) : fault('invalidValue', 'name is an object')
    case 'name.givenname':
    case 'name.familyname': {
      const part = attribute === 'name.givenname' ? 'givenName' : 'familyName'
      if (isNothing) return read({ ...fields, [part]: '' })
      return typeof value === 'string' ? read({ ...fields, [part]: value.trim() }) : fault('invalidValue', `${part} is a text`)
    }
    case 'active': {
      const active = booleanIn(value)
      return active === null ? fault('invalidValue', 'active is true or false') : read({ ...fields, active })
    }
    default:
      return read(fields)
  }
}

/** Microsoft Entra sends "True" and "False". */
function booleanIn(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  return text === 'true' ? true : text === 'false' ? false : null
}

/** `members[value eq "1"].display`: the attribute, the filter of its values, and the part of them. */
type Target = { readonly attribute: string; readonly where: string | null; readonly part: string | null }

const WITH_FILTER = /^([^[\]]+)\[(.*)\](?:\.([A-Za-z$][\w$-]*))?$/s

function targetOf(path: string): Target | null {
  const [, filtered, where = '', part = null] = WITH_FILTER.exec(path.trim()) ?? []
  const attribute = attributePath(filtered ?? path.trim())
  if (attribute === null) return null
  return filtered === undefined
    ? { attribute, where: null, part: null }
    : { attribute, where, part: part === null ? null : part.toLowerCase() }
}

type Step = { readonly op: 'add' | 'replace' | 'remove'; readonly target: Target | null; readonly value: unknown }

/** The operation in its parts (RFC 7644 section 3.5.2); its name is read in any case. */
function stepOf({ op, path, value }: Operation): Reading<Step> {
  const name = op.toLowerCase()
  if (name !== 'add' && name !== 'replace' && name !== 'remove')
    return fault('invalidSyntax', 'An operation is add, replace or remove')
  if (path === undefined || path === '')
    return name === 'remove'
      ? fault('noTarget', 'A removal names its path')
      : isBody(value)
        ? read({ op: name, target: null, value })
        : fault('invalidSyntax', 'Without a path, the value is an object')
  const target = targetOf(path)
  if (target === null || (target.where !== null && parseFilter(target.where) === null))
    return fault('invalidPath', `${beginning(path, 100)} is no path of an attribute`)
  return read({ op: name, target, value })
}

/** The fields of a user after these operations, of which all hold or none. */
export function patchUser(before: UserFields, operations: readonly Operation[]): Reading<UserFields> {
  let fields = before
  const addresses: string[] = []
  for (const operation of operations) {
    const step = stepOf(operation)
    if (step.kind === 'fault') return step
    const assignments = userAssignments(step.value)
    const faulty = assignments.find(({ attribute, value }) => attribute.startsWith('emails') && value === undefined)
    if (faulty !== undefined) return fault('mutability', 'The address is the userName')
    addresses.push(...assignments.flatMap(addressesIn))
    const next = assigned(fields, assignments)
    if (next.kind === 'fault') return next
    fields = next.value
  }
  const isOther = addresses.some((address) => address.trim().toLowerCase() !== fields.userName)
  return isOther ? fault('mutability', 'The address is the userName') : read(fields)
}

function userAssignments({ op, target, value }: Step): readonly Assignment[] {
  if (target === null) return isBody(value) ? assignmentsOf(value) : []
  const { attribute, where, part } = target
  const path = part === null ? attribute : `${attribute}.${part}`
  // Other values than the work address are attributes that the product does not hold.
  if (where !== null && !(attribute === 'emails' && isWorkAddress(where))) return []
  if (op === 'remove') return [{ attribute: path, value: undefined }]
  return assignmentsOf({ [path]: value })
}

/** The addresses that an assignment of `emails` holds. */
function addressesIn({ attribute, value }: Assignment): readonly string[] {
  if (attribute === 'emails.value') return typeof value === 'string' ? [value] : []
  if (attribute !== 'emails') return []
  return itemsOf(value).flatMap((one) => (isBody(one) && typeof one['value'] === 'string' ? [one['value']] : []))
}

/** The ids of the members of a group after these operations, of which all hold or none. */
export function patchMembers(
  name: string,
  before: ReadonlySet<string>,
  operations: readonly Operation[],
): Reading<ReadonlySet<string>> {
  let members = before
  for (const operation of operations) {
    const step = stepOf(operation)
    if (step.kind === 'fault') return step
    const next = stepped(name, members, step.value)
    if (next.kind === 'fault') return next
    members = next.value
  }
  return members.size > MOST_MEMBERS ? fault('invalidValue', `A group has ${MOST_MEMBERS} members at most`) : read(members)
}

function stepped(name: string, members: ReadonlySet<string>, { op, target, value }: Step): Reading<ReadonlySet<string>> {
  if (target === null) {
    const assignments = assignmentsOf(isBody(value) ? value : {})
    const renamed = assignments.find(({ attribute }) => attribute === 'displayname')
    if (renamed !== undefined && !isName(name, renamed.value)) return fault('mutability', NAME_STAYS)
    const given = assignments.find(({ attribute }) => attribute === 'members')
    return given === undefined ? read(members) : membersAfter(members, op, given.value)
  }
  const { attribute, where, part } = target
  if (attribute === 'displayname') return isName(name, value) ? read(members) : fault('mutability', NAME_STAYS)
  if (attribute !== 'members') return read(members)
  if (where === null) return membersAfter(members, op, value)
  const filter = parseFilter(where)
  if (filter === null || op !== 'remove' || part !== null)
    return fault('invalidPath', 'A filter of members chooses those to remove')
  return read(new Set([...members].filter((id) => !matches(filter, { value: id }, 'members.'))))
}

const NAME_STAYS = 'A group is a role, whose name stays'
const isName = (name: string, value: unknown): boolean => typeof value === 'string' && value.toLowerCase() === name.toLowerCase()

function membersAfter(before: ReadonlySet<string>, op: Step['op'], value: unknown): Reading<ReadonlySet<string>> {
  const isEmpty = value === undefined || value === null
  if (op === 'remove' && isEmpty) return read(new Set())
  const ids = isEmpty ? null : memberIds(value)
  if (ids === null) return fault('invalidValue', 'Members are a list of {"value": "<id of a user>"}')
  if (op === 'replace') return read(new Set(ids))
  return read(op === 'add' ? new Set([...before, ...ids]) : new Set([...before].filter((id) => !ids.includes(id))))
}

/** The ids of a list of members; null for what is none. */
export function memberIds(value: unknown): readonly string[] | null {
  const ids = itemsOf(value).map((one) => (isBody(one) ? one['value'] : null))
  return ids.every((id): id is string => typeof id === 'string' && id !== '') ? ids : null
}

/** The members that a body of PUT describes; absent ones stay. */
export function readMembers(name: string, before: ReadonlySet<string>, body: Body): Reading<ReadonlySet<string>> {
  return patchMembers(name, before, [{ op: 'replace', value: body }])
}

// ── Answers ──

/**
 * A resource with the attributes that a query asks for (RFC 7644 section 3.9): comma-separated paths. `id` and `schemas` are always there.
 */
export function shown(
  resource: { readonly [key: string]: Json },
  {
    attributes,
    excludedAttributes,
  }: { readonly attributes?: string | undefined; readonly excludedAttributes?: string | undefined },
): { readonly [key: string]: Json } {
  const wanted = pathsIn(attributes)
  const left = pathsIn(excludedAttributes)
  const keeps = (path: string): boolean =>
    wanted.length > 0
      ? wanted.some((one) => one === path || one.startsWith(`${path}.`) || path.startsWith(`${one}.`))
      : !left.includes(path)
  const part = (path: string, value: Json): Json => {
    if (Array.isArray(value)) return value.map((one: Json) => part(path, one))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).filter(([key]) => keeps(`${path}.${key.toLowerCase()}`)))
  }
  return Object.fromEntries(
    Object.entries(resource).flatMap(([key, value]) => {
      if (key === 'id' || key === 'schemas') return [[key, value]]
      const path = key.toLowerCase()
      return keeps(path) ? [[key, part(path, value)]] : []
    }),
  )
}

const pathsIn = (list: string | undefined): readonly string[] =>
  (list ?? '').split(',').flatMap((one) => attributePath(one.trim()) ?? [])
