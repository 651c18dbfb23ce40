import { envelope, errorEnvelope, type Access } from '#contract/http'
import { scimError } from '#contract/scim'
import { ACCESS, type Role } from '#domain/kit/access'
import { CATALOGUE } from '#domain/kit/errors'
import type { Operation } from './document.ts'
import type { RoleName } from './world.ts'

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** The properties of a request that determine the expected answer. */
export type Asked = {
  readonly operation: Pick<Operation, 'id' | 'method' | 'statuses' | 'endpoint'>
  readonly role: RoleName
  readonly routed: boolean
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Data that a request stored, without background writes. `types` names the events and who wrote them. */
export type Added = { readonly events: number; readonly types?: readonly string[]; readonly others: number }

/** All faults of an answer, one line each. */
export const faultsOf = (asked: Asked, answer: Answer, added: Added): readonly string[] => [
  ...statusFaults(asked, answer),
  ...headerFaults(asked, answer),
  ...(FOR_OPERATORS.test(asked.operation.id) && answer.status === 200 ? [] : leaks(answer)),
  ...(answer.status >= 400 ? errorFaults(asked, answer) : asked.routed ? successFaults(asked, answer) : []),
  ...(asked.routed ? accessFaults(asked, answer) : []),
  ...storedFaults(asked, answer, added),
]

function statusFaults({ operation, routed, headers }: Asked, { status, headers: sent }: Answer): readonly string[] {
  if (status === 503) {
    // A verification waits for read models without a requested position.
    const waited = (headers['x-position']?.length ?? 0) > 8 || operation.id === 'audit.verify'
    return waited && sent['retry-after'] !== undefined ? [] : ['503 though no position was waited for, or without Retry-After']
  }
  if (status >= 500) return [`status ${status}`]
  return !routed || operation.statuses.has(status) ? [] : [`status ${status} is not declared`]
}

const isScim = ({ operation, routed }: Asked, { headers }: Answer): boolean =>
  operation.endpoint.scim === true && (routed || headers['content-type']?.startsWith('application/scim+json') === true)

function headerFaults(asked: Asked, answer: Answer): readonly string[] {
  const { headers, status } = answer
  const type = headers['content-type'] ?? ''
  return [
    ...(headers['x-content-type-options'] === 'nosniff' ? [] : ['no X-Content-Type-Options: nosniff']),
    ...(type.startsWith('application/json') && !/charset=utf-8/i.test(type) ? ['JSON without a charset'] : []),
    ...(status >= 400 && !type.startsWith(isScim(asked, answer) ? 'application/scim+json' : 'application/json')
      ? [`a refusal of type ${type}`]
      : []),
  ]
}

/** Settings, errors and failed jobs as they are, for system administrators alone (fine print 98). */
const FOR_OPERATORS = /^operations\./

const LEAK =
  /\bat (Object\.|async |new |\/|file:|node:)|\bselect .{1,80}\bfrom\b|\b(es|app|identity)\.[a-z_]+ |node_modules|\/(tmp|home|root|usr|work)\/|ECONN|duplicate key|violates|SyntaxError|TypeError/

function leaks({ headers, body }: Answer): readonly string[] {
  if (headers['content-type']?.startsWith('application/json') !== true) return []
  const found = LEAK.exec(body)
  return found === null ? [] : [`the answer exposes internals: ${body.slice(found.index, found.index + 80)}`]
}

function read(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** Statuses of refusals by the framework, which have no code. */
const FRAMEWORK: Readonly<Record<number, number>> = { 404: 2, 405: 2, 413: 2, 414: 2, 415: 2, 416: 2, 429: 2, 503: 1 }

function errorFaults(asked: Asked, answer: Answer): readonly string[] {
  const { status, body } = answer
  const sent = read(body)
  if (isScim(asked, answer)) {
    const { success, data } = scimError.safeParse(sent)
    return success && data.status === String(status) ? unknownKeys(sent, data) : ['the refusal has not the shape of SCIM']
  }
  const { success, data, error } = errorEnvelope.safeParse(sent)
  if (!success) return [`the refusal breaks its schema: ${error.issues[0]?.path.join('.')} ${error.issues[0]?.message}`]
  const { code, key } = data.type
  const entry = Object.entries(CATALOGUE).find(([known]) => Number(known) === code)?.[1]
  if (entry === undefined || code === 0) return [`code ${code} is not one of the catalogue`]
  return [
    ...(entry.key === key ? [] : [`key ${key} is not that of code ${code}`]),
    ...(entry.http === status || FRAMEWORK[status] === code
      ? []
      : [`status ${status} with code ${code}, which is ${entry.http}`]),
    ...unknownKeys(sent, data),
  ]
}

function successFaults({ operation, url }: Asked, { status, headers, body }: Answer): readonly string[] {
  if (operation.endpoint.raw === true || status === 304) return []
  // A call that answers with either is asked for the file by name.
  if (/[?&]format=csv\b/.test(url) && headers['content-type']?.startsWith('text/csv') === true) return []
  if (headers['content-type']?.startsWith('application/json') !== true) return ['the answer is no JSON']
  const sent = read(body)
  const { success, data, error } = envelope(operation.endpoint.output).safeParse(sent)
  if (success) return [...(data.type.code === 0 ? [] : [`code ${data.type.code} of a success`]), ...unknownKeys(sent, data)]
  return [`the answer breaks its schema: ${JSON.stringify(error.issues).slice(0, 300)}`]
}

/** Parsing drops unknown keys: a dropped key is undeclared. */
function unknownKeys(sent: unknown, parsed: unknown, at = ''): readonly string[] {
  if (typeof sent !== 'object' || sent === null || typeof parsed !== 'object' || parsed === null) return []
  const kept = new Map<string, unknown>(Object.entries(parsed))
  return Object.entries(sent).flatMap(([key, value]) =>
    kept.has(key) ? unknownKeys(value, kept.get(key), `${at}.${key}`) : [`${at}.${key} is not declared`],
  )
}

/** Whether the role may ever make the call; the service and anonymous callers have no role. */
export function admits(access: Access, role: RoleName, alsoFor?: string): boolean {
  const has = (action: string) =>
    Object.entries(ACCESS).some(([name, roles]) => name === action && roles.some((one: Role) => one === role))
  if (access === 'public') return true
  if (role === 'anonymous') return false
  if (access === 'directory') return false
  if (access === 'service') return role === 'service' || (alsoFor !== undefined && has(alsoFor))
  return role !== 'service' && (access === 'signed-in' || has(access))
}

function accessFaults({ operation, role, headers }: Asked, { status, body }: Answer): readonly string[] {
  const { access, alsoFor, scim } = operation.endpoint
  if (access === 'public') return []
  const forged = role === 'anonymous' && headers['authorization'] !== undefined
  if (role === 'anonymous')
    return status === 401 ? [] : [`${forged ? 'a forged token' : 'an anonymous caller'} got ${status} and not 401`]
  const isQuestion = operation.endpoint.stepUp !== undefined && body.includes('"step_up":')
  if (admits(access, role, alsoFor)) return status === 401 && !isQuestion ? ['401 for a signed-in user'] : []
  const code = scim === true ? '3' : /"code":(\d+)/.exec(body)?.[1]
  return status === 403 && code === '3' ? [] : [`a role that may never do this got ${status}, code ${code}`]
}

const stores = ({ id, endpoint }: Asked['operation']): boolean =>
  endpoint.command === true ||
  endpoint.body === 'multipart' ||
  endpoint.method === 'DELETE' ||
  id === 'app.requestResource' ||
  id === 'credential.create' ||
  id === 'credential.rotate'

const isDryRun = (url: string): boolean => /[?&]dry_run=(true|1|yes|on|y|enabled)(&|$)/i.test(url)

function storedFaults({ operation, url }: Asked, { status }: Answer, { events, types = [], others }: Added): readonly string[] {
  if (events === 0 && others === 0) return []
  const names = types.length === 0 ? '' : ` (${types.join(', ')})`
  const what = `${events} events${names} and ${others} files or records`
  if (status >= 400) return [`refused, and yet it stored ${what}`]
  if (isDryRun(url)) return [`a dry run stored ${what}`]
  return stores(operation) ? [] : [`a read stored ${what}`]
}

/** A repeat under the same key gets the same answer verbatim, and has no second effect (fine print 17). */
export function repeatFaults(asked: Asked, first: Answer, second: Answer, added: Added): readonly string[] {
  // The first may have been the last that a limit of uploads lets through: it counts repeats too.
  const isLimited = second.status === 429 && asked.operation.endpoint.body === 'multipart'
  const kept = first.status < 400 && !isDryRun(asked.url) && !isLimited
  return [
    ...(kept && (second.status !== first.status || second.body !== first.body)
      ? ['a repeat under the same key is answered otherwise']
      : []),
    ...(kept && (added.events > 0 || added.others > 0) ? [`a repeat under the same key stored ${added.events} events`] : []),
    ...(kept ? [] : faultsOf(asked, second, added)),
  ]
}
