import type { FastifyRequest } from 'fastify'
import type { Rejection } from '#domain/kit/errors'

/** Client credentials of OAuth 2.1 (RFC 6749 §4.4): how programs send them, and the members of answers that their libraries read. */

/** The grant that a body asks for. */
export const CLIENT_GRANT = 'client_credentials'
export type Client = { readonly id: string; readonly secret: string }

const memberOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as { readonly [name: string]: unknown })[name] : undefined

/** Whether a request asks for a token by client credentials. */
export const asksAsClient = ({ body, routeOptions }: Pick<FastifyRequest, 'body' | 'routeOptions'>): boolean =>
  (routeOptions.config as { readonly clients?: boolean }).clients === true && memberOf(body, 'grant_type') === CLIENT_GRANT

export const isBasic = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean => /^Basic /i.test(headers.authorization ?? '')

/** Id and secret of the header (client_secret_basic), form-encoded each (RFC 6749 §2.3.1); null for what cannot be read. */
export function basicClient({ headers }: Pick<FastifyRequest, 'headers'>): Client | null {
  const [, encoded] = /^Basic ([A-Za-z0-9+/=]{1,2000})$/i.exec(headers.authorization ?? '') ?? []
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? []
  if (id === undefined || secret === undefined) return null
  try {
    return { id: formDecoded(id), secret: formDecoded(secret) }
  } catch {
    return null
  }
}

const formDecoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '))

/** `error` and `error_description` of RFC 6749 section 5.2, beside the envelope. */
export function clientError({ code, faults }: Rejection, status: number, message: string): object {
  const error_description = faults[0]?.message ?? message
  return { error: errorOf(code, faults[0]?.path, status), error_description }
}

function errorOf(code: number, path: string | undefined, status: number): string {
  if (status === 401) return 'invalid_client'
  if (status === 403) return 'unauthorized_client'
  // The two for servers that cannot answer now are those of RFC 6749 §4.1.2.1, which libraries know.
  if (status === 429 || status === 503) return 'temporarily_unavailable'
  if (status >= 500) return 'server_error'
  return code === 2 && path === 'scope' ? 'invalid_scope' : 'invalid_request'
}
