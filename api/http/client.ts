import type { FastifyReply } from 'fastify'
import type { Client } from '#platform/identity/sessions'
import type { Call } from './call.ts'
import { asksForCookie } from './session-cookie.ts'

/** The browser or program of a call that signs in. */
export const clientOf = (
  { address, network, isLocal }: Pick<Call, 'address' | 'network' | 'isLocal'>,
  { request }: Pick<FastifyReply, 'request'>,
): Client => ({
  userAgent: request.headers['user-agent'] ?? '',
  address,
  network,
  isLocal,
  inCookie: asksForCookie(request),
})
