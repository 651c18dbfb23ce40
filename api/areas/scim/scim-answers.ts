import type { FastifyInstance, FastifyReply } from 'fastify'
import { ScimRefused } from '#commands/scim/provisioning'
import { CATALOGUE } from '#domain/kit/errors'
import type { ScimType } from '#domain/scim/scim'
import { errorHandler, type SendRefusal } from '#api/http/envelope'
import { beginning } from '#domain/kit/text'

/** Answers and refusals in the shapes of SCIM (RFC 7644 sections 3.4.2 and 3.12). */

export const SCIM_TYPE = 'application/scim+json; charset=utf-8'

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** A page of a list; `startIndex` counts from one. */
export const listOf = <T>(resources: readonly T[], { total = resources.length, startIndex = 1 } = {}) => ({
  schemas: [LIST],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: [...resources],
})

type Refusal = { readonly status: number; readonly scimType: ScimType | null; readonly detail: string }

const sendError = (reply: FastifyReply, { status, scimType, detail }: Refusal): FastifyReply =>
  reply
    .code(status)
    .type(SCIM_TYPE)
    .send({ schemas: [ERROR], status: String(status), ...(scimType === null ? {} : { scimType }), detail })

/** Sends refusals that the product gives to every call, such as an unknown token, in this shape. */
const send: SendRefusal = (reply, { code, faults, message }, status) => {
  if (status === 401) void reply.header('WWW-Authenticate', 'Bearer')
  const named = faults.map(({ path, message: text }) => (path === '' ? text : `${path}: ${text}`)).join('; ')
  const detail = named === '' ? (message ?? CATALOGUE[code].message) : beginning(named, 1000)
  return sendError(reply, { status, scimType: status === 400 ? scimTypeOf(faults[0]?.path) : null, detail })
}

const scimTypeOf = (path: string | undefined): ScimType =>
  path === undefined || path === 'body' ? 'invalidSyntax' : 'invalidValue'

/** Makes the errors of a scope SCIM's. */
export function installScimErrors(scope: FastifyInstance): void {
  const others = errorHandler(send)
  scope.setErrorHandler((error: Parameters<typeof others>[0], request, reply) =>
    error instanceof ScimRefused
      ? sendError(reply, { ...error, status: error.status, detail: error.message })
      : others(error, request, reply),
  )
}

/** For addresses and methods below SCIM's that are none of its calls. */
export const noScimCall = (reply: FastifyReply): FastifyReply =>
  sendError(reply, { status: 404, scimType: null, detail: 'There is no such resource' })
