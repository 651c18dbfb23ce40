import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../config.ts'

/** Headers of requests that a proxy, tunnel or CDN passes on; also all that begin with `x-forwarded` or `cf-`. */
const FORWARDING = [
  'client-ip',
  'fastly-client-ip',
  'forwarded',
  'true-client-ip',
  'via',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-envoy-external-address',
  'x-original-forwarded-for',
  'x-original-host',
  'x-proxyuser-ip',
  'x-real-ip',
]
const FORWARDING_PREFIXES = ['x-forwarded', 'cf-']

type Sent = Pick<FastifyRequest, 'headers'>

/** The first header of a request that only a proxy, tunnel or CDN sets; null without one. */
export const forwardingHeader = ({ headers }: Sent): string | null =>
  Object.keys(headers).find(
    (name) => FORWARDING.includes(name) || FORWARDING_PREFIXES.some((prefix) => name.startsWith(prefix)),
  ) ?? null

/** True for a host name that only this machine resolves to itself: loopback addresses, `localhost` and names below it. */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  return isLoopback(name) || name.endsWith('.localhost')
}

/** The host name of a Host header, without its port. */
const nameIn = (host: string): string => host.replace(/:\d+$/, '')

/** True for a request of a program on this machine: a loopback connection and Host, and no sign of a proxy. */
export const isLocalRequest = (request: Pick<FastifyRequest, 'headers' | 'raw'>): boolean =>
  isLoopback(request.raw.socket.remoteAddress ?? '') &&
  isLoopbackHost(nameIn(request.headers.host ?? '')) &&
  forwardingHeader(request) === null
