import type { FastifyInstance } from 'fastify'
import { refused } from '#commands/refused'
import { roleOfGroup, ScimRefused, type Provisioning } from '#commands/scim/provisioning'
import * as contract from '#contract/scim'
import type { Endpoint } from '#contract/http'
import type { Role } from '#domain/kit/access'
import { matches, parseFilter, type Json } from '#domain/scim/filter'
import { MOST_ON_PAGE } from '#domain/scim/limits'
import {
  groupResource,
  GROUPS,
  patchMembers,
  patchUser,
  readMembers,
  readUser,
  shown,
  userResource,
  type Reading,
  type UserFields,
} from '#domain/scim/scim'
import type { Call } from '#api/http/call'
import { parseJsonAs } from '#api/http/json-body'
import { register } from '#api/http/register'
import { scimUrl } from './base-url.ts'
import { resourceTypes, schemas, serviceProviderConfig } from './discovery.ts'
import { installScimErrors, listOf, noScimCall, SCIM_TYPE } from './scim-answers.ts'
import type { Served } from '#api/areas/services'

type Deps = Served<'links' | 'security'>

type Resource = { readonly [key: string]: Json }
type Projection = { readonly attributes?: string | undefined; readonly excludedAttributes?: string | undefined }
type List = Projection & {
  readonly filter?: string | undefined
  readonly startIndex?: string | undefined
  readonly count?: string | undefined
}

/** SCIM 2.0 for directories (fine print 85), in a scope with its media type and errors. */
export function registerScim(app: FastifyInstance, kit: Deps, provisioning: Provisioning): void {
  void app.register(async (scope) => {
    parseJsonAs(scope, 'application/scim+json')
    installScimErrors(scope)
    registerCalls(scope, kit, provisioning)
  })
  void app.register(async (scope) => scope.setNotFoundHandler((_request, reply) => noScimCall(reply)), { prefix: '/scim/v2' })
}

function registerCalls(scope: FastifyInstance, kit: Deps, provisioning: Provisioning): void {
  const { guards, links, security } = kit

  /** The white-label of the token, and the address of its SCIM. */
  function askedBy({ identity }: Pick<Call, 'identity'>) {
    if (identity.kind !== 'directory') throw refused(3)
    const { token } = identity
    const label = token.whitelabelId
    const origin = links.originOf(label)
    return { token, label, origin, base: scimUrl(origin) }
  }

  /** A call whose answer has SCIM's media type. */
  function answer<E extends Endpoint>(endpoint: E, handler: Parameters<typeof register<E>>[3]): void {
    register(scope, guards, endpoint, async (call, reply) => {
      const body = await handler(call, reply)
      return reply
        .type(SCIM_TYPE)
        .code(endpoint.status ?? 200)
        .send(body)
    })
  }

  /** Records what a directory did to a person. */
  const changed = async (call: Call, endpoint: string, person: string) => {
    const credential = call.identity.kind === 'directory' ? call.identity.token.id : null
    await security.record('people-changed', call, { call: endpoint, person, credential })
  }

  answer(contract.scimConfig, async (call) => {
    const { base, origin } = askedBy(call)
    return serviceProviderConfig(base, `${origin}/help/account`)
  })
  answer(contract.scimResourceTypes, async (call) => listOf(resourceTypes(askedBy(call).base)))
  answer(contract.scimSchemas, async (call) => listOf(schemas(askedBy(call).base)))

  answer(contract.listScimUsers, async (call) => {
    const { label, base } = askedBy(call)
    const users = await provisioning.users(label)
    return pageOf(
      users.map((user) => userResource(user, base)),
      call.query,
    )
  })

  answer(contract.getScimUser, async (call) => {
    const { label, base } = askedBy(call)
    return shown(userResource(await provisioning.user(label, call.params.id), base), call.query)
  })

  answer(contract.createScimUser, async (call, reply) => {
    const { token, base } = askedBy(call)
    const user = await provisioning.create(token, read(readUser(call.body, NOTHING)))
    await changed(call, contract.createScimUser.id, user.id)
    void reply.header('Location', `${base}/Users/${user.id}`)
    return shown(userResource(user, base), call.query)
  })

  async function changeUser(call: CallOfOne, id: string, fieldsAfter: (before: UserFields) => Reading<UserFields>) {
    const { token, base } = askedBy(call)
    const user = await provisioning.change(token, call.params.id, (before) => read(fieldsAfter(before)))
    await changed(call, id, user.id)
    return shown(userResource(user, base), call.query)
  }
  answer(contract.replaceScimUser, (call) =>
    changeUser(call, contract.replaceScimUser.id, (before) => readUser(call.body, before)),
  )
  answer(contract.patchScimUser, (call) =>
    changeUser(call, contract.patchScimUser.id, (before) => patchUser(before, call.body.Operations)),
  )

  answer(contract.deleteScimUser, async (call) => {
    await provisioning.remove(askedBy(call).label, call.params.id)
    await changed(call, contract.deleteScimUser.id, call.params.id)
  })

  answer(contract.listScimGroups, async (call) => {
    const { label, base } = askedBy(call)
    const users = await provisioning.users(label)
    return pageOf(
      GROUPS.map((role) => groupResource(role, users, base)),
      call.query,
    )
  })

  async function groupOf(call: CallOfOne, role: Role) {
    const { label, base } = askedBy(call)
    return shown(groupResource(role, await provisioning.users(label), base), call.query)
  }
  answer(contract.getScimGroup, (call) => groupOf(call, roleOfGroup(call.params.id)))

  async function changeMembers(call: CallOfOne, id: string, membersAfter: MembersAfter) {
    const role = roleOfGroup(call.params.id)
    const people = await provisioning.setMembers(askedBy(call).token, role, (before) => read(membersAfter(role, before)))
    for (const person of people) await changed(call, id, person)
    return groupOf(call, role)
  }
  answer(contract.replaceScimGroup, (call) =>
    changeMembers(call, contract.replaceScimGroup.id, (name, before) => readMembers(name, before, call.body)),
  )
  answer(contract.patchScimGroup, (call) =>
    changeMembers(call, contract.patchScimGroup.id, (name, before) => patchMembers(name, before, call.body.Operations)),
  )
}

type CallOfOne = Call<{ readonly id: string }, Projection>
type MembersAfter = (name: string, before: ReadonlySet<string>) => Reading<ReadonlySet<string>>

/** A user before a body says anything. */
const NOTHING: UserFields = { userName: '', externalId: null, givenName: '', familyName: '', active: true }

/** Returns the value that was read; throws its fault. */
function read<T>(reading: Reading<T>): T {
  if (reading.kind === 'fault') throw new ScimRefused(400, reading.scimType, reading.detail)
  return reading.value
}

/** The page of the resources that fulfil the filter, with the attributes that are asked for. Sorting is not supported. */
function pageOf(resources: readonly Resource[], { filter: text, startIndex, count, ...projection }: List) {
  const filter = text === undefined ? null : parseFilter(text)
  if (text !== undefined && filter === null) throw new ScimRefused(400, 'invalidFilter', 'The filter cannot be read')
  const found = filter === null ? resources : resources.filter((one) => matches(filter, one))
  const start = Math.max(1, Number(startIndex ?? 1))
  const size = Math.min(MOST_ON_PAGE, Math.max(0, Number(count ?? MOST_ON_PAGE)))
  const page = found.slice(start - 1, start - 1 + size)
  return listOf(
    page.map((one) => shown(one, projection)),
    { total: found.length, startIndex: start },
  )
}
