import { envelope, type Endpoint } from '#contract/http'
import { IN_COOKIE, refreshSession, SESSION_HEADER } from '#contract/session'
import { z } from '#contract/zod'
import { NO_CONTENT, nothingFor, readEnvelope } from './answer.ts'
import { AppError, NOT_PROVED, OFFLINE, saysOutside, UNREADABLE } from './app-error.ts'
import { proofAskedIn, stepUp } from './step-up.ts'
import { takeEarlyResponse } from '@/session/early'
import { assertShownSession, forgetIdentity, IDENTITY_HEADER, identityHeader } from '@/session/identity'
import { forgetPosition, notePosition, seenPosition } from './position.ts'
import { isUnattended, UNATTENDED_HEADER } from '@/session/attendance'
import { accessToken, clearTokens, isSignedIn, isStale, storedRefreshToken, storeGrant } from '@/session/token-store'
import { now } from '@/lib/clock'

export type Input<E extends Endpoint> = {
  readonly params?: z.input<E['params']>
  readonly query?: z.input<E['query']>
  readonly body?: z.input<E['input']>
  readonly signal?: AbortSignal
  /** The Idempotency-Key of a command that its screen may repeat; a new one for each call without it. */
  readonly commandKey?: string
  /** The request survives leaving the page. For small bodies only. */
  readonly keepalive?: true
}

/**
 * Why a session ended: the user logged out, it could not be renewed, the user handed the ownership of the account over, or their
 * white-label does not let them work at this address.
 */
export type SessionEnd = 'left' | 'expired' | 'handed-over' | 'outside'
let signedOut: (why: SessionEnd) => void = () => {}
/** Registers a listener for the end of the session. */
export const onSignedOut = (listener: (why: SessionEnd) => void) => {
  signedOut = listener
}

/** Clears the session in this browser. */
export function endSession(why: SessionEnd) {
  forgetIdentity()
  clearTokens()
  forgetPosition()
  stepUp.answer(false)
  signedOut(why)
}

let refreshing: Promise<boolean> | null = null

/** Runs one refresh at a time for all callers. */
export function refreshOnce(staleToken: string | null): Promise<boolean> {
  refreshing ??= exclusively(() => refresh(staleToken)).finally(() => {
    refreshing = null
  })
  return refreshing
}

/** A lock serialises the tabs, which share a cookie: an answer that comes late must not replace the token of a newer session. */
const exclusively = async <T>(work: () => Promise<T>): Promise<T> =>
  'locks' in navigator && navigator.locks ? await navigator.locks.request('dsp-refresh', work) : await work()

async function refresh(staleToken: string | null): Promise<boolean> {
  if (accessToken() !== staleToken) return isSignedIn()
  // Signed out here; a cookie may be left where the sign-out did not reach the server.
  if (staleToken === null) return false
  const token = storedRefreshToken()
  const headers = sessionHeaders()
  if (isUnattended()) headers.set(UNATTENDED_HEADER, 'true')
  const response = await send(urlOf(refreshSession.path, {}, {}), {
    method: refreshSession.method,
    headers,
    body: new URLSearchParams(token === null ? {} : { refresh_token: token }),
  })
  if (response.status >= 500) throw new AppError({ code: 1, key: 'backend_exception', message: '', status: response.status })
  const answer = envelope(refreshSession.output).safeParse(await readJson(response))
  if (!response.ok || !answer.success) return false
  // Another tab has signed in or out in the meantime: keep its session.
  if (accessToken() !== staleToken) return isSignedIn()
  storeGrant(answer.data.data, now())
  return true
}

/** The typed HTTP client: `call(endpoint, { params, query, body })` returns `data` of the envelope. */
export async function call<E extends Endpoint>(endpoint: E, input: Input<E> = {}): Promise<z.output<E['output']>> {
  const response = await respond(endpoint, input)
  const data = readEnvelope(response.status, await readJson(response))
  const output = endpoint.output.safeParse(data === undefined ? nothingFor(endpoint.output) : data)
  if (!output.success) throw unreadable(response)
  return output.data as z.output<E['output']>
}

/** Returns the file that a `raw` endpoint answers with. Throws refusals like any other call. */
export async function download<E extends Endpoint>(endpoint: E, input: Input<E> = {}): Promise<Blob> {
  const response = await respond(endpoint, input)
  if (!response.ok) readEnvelope(response.status, await readJson(response))
  return response.blob()
}

async function respond<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Response> {
  // A retry after a refresh is the same command, so the key is created once per call.
  const commandKey = endpoint.method === 'GET' ? null : (input.commandKey ?? crypto.randomUUID())
  const request = () => attempt(endpoint, input, commandKey)
  if (endpoint.access !== 'public' && isStale(now())) await renew()
  let response = await inSession(endpoint, request)
  const asked = await proofAskedIn(response)
  if (asked !== null) {
    if (!(await stepUp.ask(asked))) throw new AppError({ code: NOT_PROVED, key: 'not_proved', message: '', status: 401 })
    response = await inSession(endpoint, request)
  }
  if (response.status === FORBIDDEN && endpoint.access !== 'public' && (await isOutsideAnswer(response))) endSession('outside')
  if (response.status === BUSY) {
    await pauseFor(response)
    response = await request()
  }
  return response
}

const FORBIDDEN = 403
async function isOutsideAnswer(response: Response): Promise<boolean> {
  const answer: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return typeof answer === 'object' && answer !== null && 'data' in answer && saysOutside(answer.data)
}

/** Sends a call again with a new access token once its own is refused. A refusal that asks for a proof is of the user, not of the token. */
async function inSession(endpoint: Endpoint, request: () => Promise<Response>): Promise<Response> {
  const isRefused = async (response: Response) =>
    response.status === 401 && endpoint.access !== 'public' && (await proofAskedIn(response)) === null
  const first = await request()
  if (!(await isRefused(first))) return first
  await renew()
  const second = await request()
  if (await isRefused(second)) endSession('expired')
  return second
}

// The read model is behind our own writes. The server says when to retry; one retry is enough.
const BUSY = 503
const pauseFor = (response: Response) => {
  const seconds = Number(response.headers.get('Retry-After') ?? 1)
  return new Promise((resolve) => setTimeout(resolve, Math.min(Number.isFinite(seconds) ? seconds : 1, 5) * 1000))
}

/** Renews the access token, or ends the session. */
export async function renew() {
  assertShownSession()
  if (await refreshOnce(accessToken())) return
  endSession('expired')
  throw new AppError({ code: 401, key: 'unauthorized', message: '', status: 401 })
}

async function attempt<E extends Endpoint>(endpoint: E, input: Input<E>, commandKey: string | null): Promise<Response> {
  const headers = authHeaders(endpoint.access === 'public')
  if (commandKey !== null) headers.set('Idempotency-Key', commandKey)
  const init: RequestInit = { method: endpoint.method, headers }
  if (input.signal) init.signal = input.signal
  if (input.keepalive) init.keepalive = true
  if (input.body !== undefined) init.body = encodeBody(endpoint.body, input.body, headers)
  const url = urlOf(endpoint.path, input.params, input.query)
  if (endpoint.session === undefined) return await send(url, init)
  for (const [name, value] of sessionHeaders()) headers.set(name, value)
  return await exclusively(() => send(url, init))
}

/** Asks for the refresh token in a cookie, which browsers keep only from the page's own host. */
const sessionHeaders = () => new Headers(apiBase() === '' ? { [SESSION_HEADER]: IN_COOKIE } : {})

export function authHeaders(anonymous: boolean): Headers {
  const headers = new Headers({ Accept: 'application/json' })
  const token = accessToken()
  if (!anonymous) {
    assertShownSession()
    if (token !== null) headers.set('Authorization', `Bearer ${token}`)
    const identity = identityHeader()
    if (identity !== null) headers.set(IDENTITY_HEADER, identity)
    if (isUnattended()) headers.set(UNATTENDED_HEADER, 'true')
  }
  const position = seenPosition()
  if (position !== null) headers.set('X-Position', position)
  return headers
}

const textFields = z.record(z.string(), z.coerce.string())

function encodeBody(kind: Endpoint['body'], body: unknown, headers: Headers): BodyInit {
  if (body instanceof FormData) return body
  if (kind === 'form') return new URLSearchParams(textFields.parse(body))
  headers.set('Content-Type', kind === 'text' ? 'text/plain' : 'application/json')
  return kind === 'text' ? z.string().parse(body) : JSON.stringify(body)
}

/** Where the API is, from the page's configuration: `<meta name="api-base">`. Without it, where the page came from. */
const apiBase = (): string => document.querySelector<HTMLMetaElement>('meta[name=api-base]')?.content.replace(/\/$/, '') ?? ''

export function urlOf(path: string, params: unknown, query: unknown): string {
  const values = textFields.parse(params ?? {})
  const filled = apiBase() + path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const search = new URLSearchParams(
    Object.entries(z.record(z.string(), z.unknown()).parse(query ?? {})).flatMap(([key, value]) =>
      value === undefined || value === null ? [] : [[key, z.coerce.string().parse(value)]],
    ),
  ).toString()
  return search === '' ? filled : `${filled}?${search}`
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await (takeEarlyResponse(url, init) ?? fetch(url, init))
    notePosition(response.headers.get('X-Position'))
    return response
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new AppError({ code: OFFLINE, key: 'offline', message: '', status: 0 })
  }
}

async function readJson(response: Response): Promise<unknown> {
  if (response.status === NO_CONTENT) return { type: { code: NO_CONTENT, key: 'no_content', message: '' }, data: null }
  try {
    return await response.json()
  } catch {
    throw unreadable(response)
  }
}

const unreadable = ({ status, headers }: Response) =>
  new AppError({ code: UNREADABLE, key: 'unreadable', message: '', status, requestId: headers.get('X-Request-Id') })
