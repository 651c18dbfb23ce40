import type { Identity } from '#commands/identity/identity'
import type { WriteQuota } from '#commands/handle'
import type { Once } from '#commands/once'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { mayEver } from '#domain/kit/access'
import { reject, type Fault } from '#domain/kit/errors'
import { Away } from '#eventstore/away'
import type { WhiteLabel } from '#domain/white-label/white-label'
import { inScope } from '#contract/api-scopes'
import type { Endpoint } from '#contract/http'
// With the texts of refusals.
import { faultOfIssue, IN_SENTENCES, z } from './zod.ts'
import type { Asker } from '#platform/database/lanes'
import type { CallKind } from '#platform/limits/call-turns'
import { ReadModelsBehind } from '#projections/catch-up'
import type { FileTokens } from '#commands/files/file-tokens'
import { sha256 } from '#commands/files/sha256'
import { asksAsClient, isBasic } from './client-credentials.ts'
import { atClose } from './at-close.ts'
import { inTime } from './in-time.ts'
import { isLocalRequest } from './local-requests.ts'
import { networkOf } from './limits/network.ts'
import { partOf } from './request-ids.ts'
import type { SessionCookie } from './session-cookie.ts'
import type { Person } from './step-up.ts'
import { outsideNetworks, Refused, refused } from '#commands/refused'
import type { Call } from './call.ts'
import { isPositioned, success } from './envelope.ts'

/** Shared by registered calls: authentication, stored answers, and the required positions of reads. */
export type HttpGuards = {
  readonly identify: (request: FastifyRequest) => Promise<Identity>
  /** Throws 401 with `data.step_up` unless the user of the session proved themself in the last five minutes. */
  readonly requireProof: (caller: Person) => Promise<void>
  readonly commandIdFor: (user: string, route: string, key: string) => string
  readonly newId: () => string
  /** The white-label of a host name. */
  readonly whiteLabelOf: (hostname: string) => WhiteLabel
  readonly once: Once
  /** Resolves when these read models, or all, have reached the position; false after two seconds. */
  readonly reached: (position: bigint, of?: readonly string[]) => Promise<boolean>
  /** Counts an upload of a user; throws TooMany beyond the limit. */
  readonly limitUploads: (userId: string) => Promise<unknown>
  /** Counts a call of a user of an account; throws TooMany beyond the limit of either. */
  readonly limitCalls: (user: string, account: string) => void
  /** Resolves, when a call of an account may be worked on, with the function that ends its turn. */
  readonly turn: (kind: CallKind, account: string, gone: AbortSignal) => Promise<() => void>
  /** Runs work whose connections to the database count for this account, apart from those of other purposes. */
  readonly asAsker: <T>(asker: Asker, work: () => T) => T
  /** Answers a heavy call of an account; throws TooMany while too many of them are open. */
  readonly heavy: HttpGuards['download']
  /** Prepares a download of a user; throws TooMany while too many of them are open. */
  readonly download: <T>(user: string, response: ServerResponse, work: () => Promise<T>) => Promise<T>
  /** Answers a call of a service; throws TooMany while too many of its credential are open. */
  readonly service: HttpGuards['download']
  /** The same for a download. */
  readonly serviceDownload: HttpGuards['download']
  /** Receives an upload of an account; throws TooMany while too many of them are open. */
  readonly upload: HttpGuards['download']
  /** Writes of the account that asks in a day. */
  readonly writes: WriteQuota
  /** Counts one of so many in 24 hours, until it is released; throws TooMany beyond them. */
  readonly countDaily: (key: string, limit: number) => Promise<{ readonly release: () => Promise<void> }>
  /** Counts an anonymous read of a file by network; throws TooMany beyond the limit. */
  readonly limitReads: (network: string, units?: number) => Promise<unknown>
  /** Runs what may wait for PostgreSQL; rejects with Away once that has been away for too long. */
  readonly wait: <T>(work: () => Promise<T>) => Promise<T>
  /** The same for what may not need it. */
  readonly attempt: <T>(work: () => Promise<T>) => Promise<T>
  /** Tokens in addresses of files that no review has approved. */
  readonly fileTokens: FileTokens
  /** The newest committed position. */
  readonly head: () => Promise<bigint>
  readonly isLogAway: () => boolean
  /** Identifies the body of a keyed command; after an erasure, personal data cannot be guessed from the hash. */
  readonly hashOf: (user: string, body: unknown, url: string) => Promise<string>
  readonly sessionCookie: SessionCookie
  /** Replaces tokens of an answer with plain text, as the last step, so that stored answers contain tokens only. */
  readonly reveal: <T>(data: T) => Promise<T>
}

type CallOf<E extends Endpoint> = Call<z.output<E['params']>, z.output<E['query']>, z.output<E['input']>>

const identities = new WeakMap<FastifyRequest, Identity>()
/** Ends of the turns of requests. */
const turns = new WeakMap<FastifyRequest, () => void>()
/** The caller of a request, as far as it is known. */
export const identityOf = (request: FastifyRequest): Identity => identities.get(request) ?? { kind: 'anonymous' }

/**
 * Makes a route of an endpoint. Order of refusal: 401, then 403 when no role of the caller has the right (fine print 4), then 401
 * with `data.step_up` (fine print 83), then the rest. A call that takes a password in its body is asked for the proof after its body
 * is read.
 */
export function register<E extends Endpoint>(
  app: FastifyInstance,
  guards: HttpGuards,
  endpoint: E,
  handler: (call: CallOf<E>, reply: FastifyReply) => Promise<unknown>,
): void {
  // Data in memory is still served while PostgreSQL is away. Signed-in callers are identified in PostgreSQL.
  const limited = endpoint.method === 'GET' && endpoint.access === 'public' ? guards.attempt : guards.wait
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    ...(endpoint.bodyLimit === undefined ? {} : { bodyLimit: endpoint.bodyLimit }),
    config: { endpointId: endpoint.id, isStream: endpoint.stream === true, clients: endpoint.clients === true },
    // Files and streams go out as they are. The length of a compressed answer can reveal a secret next to text that the caller controls.
    ...(endpoint.raw === true || endpoint.secret === true ? { compress: false as const } : {}),
    // Before the body is read: callers without the right must not learn whether the body is valid.
    onRequest: async (request, reply) => {
      // Most answers contain tokens or personal data; cacheable answers set their own header.
      void reply.header('Cache-Control', 'no-store')
      await limited(() => admitted(request))
      // Before the body is read: of calls that wait, nothing is in memory.
      await takeTurn(request, reply)
    },
    handler: (request, reply) =>
      limited(() => guards.asAsker(askerOf(request, reply), () => handle(request, reply)))
        .catch((error: unknown) => {
          // A live stream or a file that is already on its way goes on.
          if (error instanceof Away && reply.raw.headersSent) return reply
          throw error
        })
        .finally(() => turns.get(request)?.()),
  })

  /** Calls of people wait for the others of their account. Live streams take no turn, which they would keep. */
  async function takeTurn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const identity = identityOf(request)
    if (identity.kind !== 'person' || endpoint.stream === true) return
    const isLarge = endpoint.download === true || endpoint.heavy === true
    const isWrite = endpoint.command === true || endpoint.write === true
    const kind = endpoint.body === 'multipart' ? 'uploads' : isLarge ? 'reports' : isWrite ? 'writes' : 'reads'
    const end = await guards.turn(kind, identity.actor.spaceId, leaving(reply))
    turns.set(request, end)
    // Also when the body is refused, or its client leaves.
    atClose(reply.raw, end)
    if (reply.raw.destroyed) end()
  }

  function askerOf(request: FastifyRequest, reply: FastifyReply): Asker {
    const identity = identityOf(request)
    const isLarge = endpoint.download === true || endpoint.heavy === true
    const asker = {
      purpose: isLarge ? ('reports' as const) : ('calls' as const),
      account: accountOf(identity),
      ...partOf(request),
    }
    if (isLarge) return { ...asker, gone: leaving(reply) }
    return endpoint.body === 'multipart' ? { ...asker, sender: leaving(reply) } : asker
  }

  async function admitted(request: FastifyRequest): Promise<void> {
    // The header may hold client credentials, which the handler checks; such a caller is anonymous so far.
    const isClient = endpoint.clients === true && isBasic(request)
    const identity: Identity = isClient ? { kind: 'anonymous' } : await guards.identify(request)
    identities.set(request, identity)
    if (identity.kind === 'person') guards.limitCalls(userOf(identity), identity.actor.spaceId)
    if (identity.kind === 'directory') guards.limitCalls(userOf(identity), `directories of ${identity.token.whitelabelId}`)
    admit(endpoint, identity)
    refuseOtherSession(identity, request)
    // Reservations of one key wait for each other, with a connection each: they count for the caller.
    const counted = <T>(work: () => Promise<T>) =>
      guards.asAsker({ purpose: 'calls', account: accountOf(identity), ...partOf(request) }, work)
    if (endpoint.stepUp === 'session') await counted(() => requireProof(identity))
    if (endpoint.body === 'multipart') await counted(() => guards.limitUploads(userOf(identity)))
    if (endpoint.userContent === true && identity.kind === 'anonymous')
      await counted(() => guards.limitReads(networkOf(request.ip)))
    // Before its turn, which it would keep. A command is decided on the log, whose end it always sees: read models that are behind
    // never block a write.
    if (endpoint.command !== true && identity.kind !== 'anonymous')
      await counted(() => waitForPosition(guards, endpoint, request))
  }

  /**
   * Every call of a tenant that leaves something behind: what has no bound of its own has this one. A repeat that is answered again
   * counts nothing, and bidders and exchanges report what has happened.
   */
  async function countWrite(identity: Identity, { params }: CallOf<E>) {
    if (identity.kind !== 'person' && identity.kind !== 'directory') return null
    if (endpoint.stops !== true) await guards.writes.check()
    guards.writes.spent(1)
    if (endpoint.perDay === undefined) return null
    const { of, name, limit } = endpoint.perDay
    const { id } = params as { readonly id?: string }
    return guards.countDaily(`${name} ${of === 'target' ? id : userOf(identity)}`, limit)
  }

  async function requireProof(identity: Identity): Promise<void> {
    if (identity.kind !== 'person') throw refused(3)
    await guards.requireProof(identity)
  }

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const identity = identityOf(request)
    const call = await readCall(guards, endpoint, identity, request)
    if (endpoint.stepUp === 'session-or-password' && !hasPassword(call.body)) await requireProof(identity)
    const waits = endpoint.command === true || endpoint.write === true
    const work = async () => {
      const counted = leavesSomething(endpoint) ? await countWrite(identity, call) : null
      try {
        return await handler(call, reply)
      } catch (error) {
        await counted?.release()
        throw error
      }
    }
    const run = () => {
      if (identity.kind === 'service' || identity.kind === 'directory') {
        if (endpoint.stream === true) return work()
        return (endpoint.download === true ? guards.serviceDownload : guards.service)(userOf(identity), reply.raw, work)
      }
      if (identity.kind !== 'person') return work()
      if (endpoint.body === 'multipart') return guards.upload(identity.actor.spaceId, reply.raw, work)
      if (endpoint.heavy === true) return guards.heavy(identity.actor.spaceId, reply.raw, work)
      return endpoint.download === true ? guards.download(userOf(identity), reply.raw, work) : work()
    }
    const stored = await answered(guards, endpoint, identity, call, request, () =>
      waits ? run() : inTime(run, () => guards.isLogAway() && !reply.raw.headersSent),
    )
    if (endpoint.status !== undefined && !reply.sent) void reply.code(endpoint.status)
    // A file instead of the envelope is the reply itself.
    if (reply.sent || endpoint.raw === true || (endpoint.csv === true && stored === reply)) return stored
    // Last, so that a stored answer that is sent again has a new token.
    const isSigned = identity.kind === 'person' && WITH_FILES.test(endpoint.id)
    const given = endpoint.session === undefined ? stored : guards.sessionCookie.answer(reply, stored)
    const data = isSigned ? await guards.fileTokens.addressed(given) : given
    if (endpoint.write === true) return reply.send(success(await positioned(guards, data, reply)))
    if (isPositioned(data)) void reply.header('X-Position', data.position)
    if (typeof data === 'object' && asksAsClient(request)) return reply.send({ ...success(data), ...data })
    return reply.type('application/json; charset=utf-8').send(success(await guards.reveal(data)))
  }
}

/** Owner of the turn in queues: an account, a credential, or all who are not signed in; null for the product's own token. */
function accountOf(identity: Identity): string | null {
  if (identity.kind === 'person') return identity.actor.spaceId
  return identity.kind === 'service' && identity.credential === null ? null : userOf(identity)
}

/** Downloads are security events. */
export const leavesSomething = ({ command, download, leaves, write }: Endpoint): boolean =>
  [command, download, leaves, write].includes(true)

/** Aborts when the connection closes before the answer is sent. */
function leaving(reply: FastifyReply): AbortSignal {
  const left = new AbortController()
  atClose(reply.raw, () => {
    if (!reply.raw.writableFinished) left.abort()
  })
  return left.signal
}

/** Calls whose answers hold addresses of files that the caller may read. */
const WITH_FILES = /^((campaign|file|moderation|admin)\.|reports\.table$)/

/** Calls about the user's own session, record and second factor. */
const OPEN_TO_RESTRICTED = /^(session|profile)\.|^user\.get$/

/** Throws unless the caller may ever make this call. */
function admit(endpoint: Endpoint, identity: Identity): void {
  const { access, alsoFor, serves } = endpoint
  if (access === 'public') return
  if (identity.kind === 'anonymous') throw refused(401)
  if (access === 'directory' || identity.kind === 'directory') {
    if (access !== 'directory' || identity.kind !== 'directory') throw refused(3)
  } else if (identity.kind === 'person') {
    if (identity.outside === true) throw outsideNetworks()
    if (identity.restricted === true && !OPEN_TO_RESTRICTED.test(endpoint.id))
      throw new Refused(reject(3), { second_factor_required: true })
    if (identity.scopes !== undefined && !inScope(endpoint, identity.scopes)) throw refused(3)
    const right = access === 'service' ? alsoFor : access
    if (right === undefined || (right !== 'signed-in' && !mayEver(identity.actor, right))) throw refused(3)
  } else if (access !== 'service' || (identity.credential !== null && identity.credential.kind !== serves)) throw refused(3)
}

const hasPassword = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'password' in body && body.password !== undefined

/** Refuses a page whose token belongs to another user or account than the page shows: browser tabs share tokens. */
function refuseOtherSession(identity: Identity, request: FastifyRequest): void {
  const sent = request.headers['x-placard-identity']
  if (sent === undefined || identity.kind !== 'person') return
  const { userId, spaceId } = identity.actor
  if (sent !== `${userId} ${spaceId}`)
    throw refused(1420, [{ path: 'X-Placard-Identity', code: 1420, message: 'The session belongs to another user or account' }])
}

async function waitForPosition(guards: HttpGuards, endpoint: Endpoint, request: FastifyRequest): Promise<void> {
  const sent = request.headers['x-position']
  if (typeof sent !== 'string' || sent === '') return
  if (!/^\d{1,19}$/.test(sent)) throw refused(2, [{ path: 'X-Position', code: 2, message: 'X-Position is a decimal number' }])
  if (!(await guards.reached(BigInt(sent), endpoint.reads))) throw new ReadModelsBehind()
}

async function readCall<E extends Endpoint>(
  guards: HttpGuards,
  endpoint: E,
  identity: Identity,
  request: FastifyRequest,
): Promise<CallOf<E>> {
  const faults: Fault[] = []
  // An id that cannot be stored cannot exist: the handler answers not-found for its kind.
  const params = parse(endpoint.params, storable(request.params) ? request.params : blankOf(request.params), '', faults)
  const query = parse(endpoint.query, request.query, '', faults)
  const body =
    endpoint.body === 'json' || endpoint.body === 'form' || endpoint.body === 'text'
      ? parse(endpoint.input, bodyOf(endpoint, request), 'body', faults)
      : undefined
  faults.push(...unknownDryRun(endpoint, request))
  if (faults.length > 0) throw new Refused({ code: 2, faults })
  const key = keyOf(endpoint, query, request)
  const bodyHash =
    key === null || endpoint.body === 'multipart'
      ? null
      : await guards.hashOf(userOf(identity), request.body ?? null, request.url)
  const call: Call = {
    identity,
    whiteLabel: guards.whiteLabelOf(request.hostname),
    params,
    query,
    body,
    commandId: key === null ? guards.newId() : guards.commandIdFor(ownerOf(identity, request, bodyHash), endpoint.id, key),
    bodyHash,
    correlation: request.id,
    source: sourceOf(identity),
    ifMatch: revisionIn(request.headers['if-match']),
    once: keyedUpload(guards, endpoint, identity, key, request.url),
    address: request.ip,
    network: networkOf(request.ip),
    isLocal: isLocalRequest(request),
    hostname: request.hostname,
  }
  return call as CallOf<E>
}

function bodyOf(endpoint: Endpoint, request: FastifyRequest): unknown {
  if (endpoint.body !== 'text') return request.body ?? {}
  // A bare id, in any accepted encoding (decisions G-017).
  const { body } = request
  const text = typeof body === 'string' ? body.trim().replace(/^"(.*)"$/, '$1') : typeof body === 'number' ? String(body) : ''
  if (text === '') throw refused(2, [{ path: 'body', code: 2, message: 'The body must be an id' }])
  return text
}

function parse(schema: z.ZodMiniType, value: unknown, at: string, faults: Fault[]): unknown {
  const result = compiled(schema).safeParse(value, IN_SENTENCES)
  if (!storable(value)) faults.push({ path: at, code: 2, message: 'Text must not hold NUL characters or broken surrogates' })
  if (result.success) return result.data
  const { issues } = result.error
  for (const issue of issues.slice(0, NAMED_FAULTS)) faults.push(faultOfIssue(pathOf(issue.path) || at, issue, value))
  if (issues.length > NAMED_FAULTS)
    faults.push({ path: at, code: 2, message: `${issues.length - NAMED_FAULTS} more values are wrong` })
  return undefined
}

/** Faults of one part of a request that an answer names: a body of a megabyte can hold a hundred thousand. */
const NAMED_FAULTS = 200

/** `rows[3].hour`: numbers are places in a list, as in the paths of the domain. */
const pathOf = (steps: readonly PropertyKey[]): string =>
  steps.map((step, i) => (typeof step === 'number' ? `[${step}]` : `${i === 0 ? '' : '.'}${String(step)}`)).join('')

const compilations = new WeakMap<z.ZodMiniType, z.ZodMiniType>()

/** The compiled schema, created at its first use: parsing is several times faster, with the same result. */
function compiled(schema: z.ZodMiniType): z.ZodMiniType {
  const known = compilations.get(schema)
  if (known !== undefined) return known
  const result = z.compile(schema)
  compilations.set(schema, result)
  return result
}

const blankOf = (params: unknown): unknown =>
  typeof params === 'object' && params !== null ? Object.fromEntries(Object.keys(params).map((key) => [key, '-'])) : params

/** PostgreSQL keeps neither NUL nor lone surrogates: such text could be appended to the log and never read back as JSON. */
function storable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  for (const key in value) if (!storable(key) || !storable((value as { readonly [key: string]: unknown })[key])) return false
  return true
}

/** The revision an If-Match header names; null without one, and for `*`. */
function revisionIn(header: string | undefined): number | null {
  if (header === undefined || header.trim() === '*') return null
  const revision = /^\s*(?:W\/)?(?:"(\d{1,9})"|(\d{1,9}))\s*$/.exec(header)
  if (revision === null) throw refused(2, [{ path: 'If-Match', code: 2, message: 'If-Match is the number of a revision' }])
  return Number(revision[1] ?? revision[2])
}

/** Idempotency keys apply to writes, but not to dry runs (fine print 17). */
function keyOf(endpoint: Endpoint, query: unknown, request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  const writes = endpoint.command === true || (endpoint.write === true && endpoint.secret !== true && endpoint.scim !== true)
  if (!writes || typeof key !== 'string' || key === '' || isDryRun(query)) return null
  if (key.length > 255)
    throw refused(2, [{ path: 'Idempotency-Key', code: 2, message: 'Idempotency-Key is at most 255 characters long' }])
  return key
}

/** A call that knows no `dry_run` would do in earnest what its caller only tries (running.md "The wire"). No call takes it in its body. */
function unknownDryRun({ query }: Endpoint, request: FastifyRequest): readonly Fault[] {
  const knows = query instanceof z.ZodMiniObject && 'dry_run' in query.shape
  const isAsked = has(request.body, 'dry_run') || (!knows && has(request.query, 'dry_run'))
  return isAsked ? [{ path: 'dry_run', code: 2, message: 'This call takes no dry_run here, so it did nothing' }] : []
}

const has = (value: unknown, key: string): boolean => typeof value === 'object' && value !== null && Object.hasOwn(value, key)

export const isDryRun = (query: unknown): boolean =>
  typeof query === 'object' && query !== null && 'dry_run' in query && query.dry_run === true

/** How a command came, for its metadata: in a session of the application's sign-in, or by a key or credential of a program. */
const sourceOf = (identity: Identity): Call['source'] =>
  identity.kind === 'person' && identity.scopes === undefined ? 'ui' : 'api'

/** The owner of idempotency keys and limits: two credentials never share one. */
export function userOf(identity: Identity): string {
  if (identity.kind === 'person') return identity.actor.userId
  if (identity.kind === 'directory') return `directory:${identity.token.id}`
  return identity.kind === 'service' && identity.credential !== null ? `service:${identity.credential.id}` : identity.kind
}

/**
 * The owner of an idempotency key. Anonymous callers are not distinguishable: a key of theirs belongs to their network and body, so that
 * no caller gets a refusal or an answer because of the key of another.
 */
const ownerOf = (identity: Identity, request: FastifyRequest, bodyHash: string | null): string =>
  identity.kind === 'anonymous' ? `anonymous ${networkOf(request.ip)} ${bodyHash ?? ''}` : userOf(identity)

/** An upload's body is known only after its handler has read it: the handler runs its work under the key. */
function keyedUpload(guards: HttpGuards, endpoint: Endpoint, identity: Identity, key: string | null, url: string): Call['once'] {
  return async (body, run) => {
    if (key === null) return run()
    const bodyHash = await sha256(Buffer.from(`${url}${body.name}\0`), body.bytes)
    return (await guards.once({ user: userOf(identity), route: endpoint.id, key, bodyHash }, run)) as Awaited<
      ReturnType<typeof run>
    >
  }
}

async function answered(
  guards: HttpGuards,
  endpoint: Endpoint,
  identity: Identity,
  call: Call,
  request: FastifyRequest,
  run: () => Promise<unknown>,
): Promise<unknown> {
  const key = request.headers['idempotency-key']
  if (call.bodyHash === null || typeof key !== 'string') return run()
  return guards.once({ user: ownerOf(identity, request, call.bodyHash), route: endpoint.id, key, bodyHash: call.bodyHash }, run)
}

/** How long a write that is done waits for the position of a log that is away, milliseconds. */
const POSITION_WITHIN_MS = 2000

/**
 * Writes without events of their own return the newest position (fine print 18); 0, which every read includes, while the log is away:
 * the write is done, and its answer may hold a secret that is shown once.
 */
async function positioned(guards: HttpGuards, data: unknown, reply: FastifyReply): Promise<unknown> {
  const head = await inTime(guards.head, guards.isLogAway, POSITION_WITHIN_MS).catch((error: unknown) => {
    if (error instanceof Away) return 0n
    throw error
  })
  const position = String(head)
  void reply.header('X-Position', position).type('application/json; charset=utf-8')
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? { ...data, position } : data
}
