import type { FastifyInstance } from 'fastify'
import { hostLabel } from '#domain/white-label/hosts'
import { isLoopback, type Config } from '../config.ts'
import { ambiguousHost, misdirected } from './envelope.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { WhiteLabels } from '#commands/white-label/white-labels'
import { forwardingHeader, isLoopbackHost } from './local-requests.ts'

/** Calls with checks of their own, which monitoring asks by address. */
const ON_ANY_HOST = ['/health/live', '/health/ready', '/metrics']

type Deps = {
  readonly logger: FastifyBaseLogger
  readonly config: Pick<Config, 'publicOrigin' | 'contentOrigin' | 'host' | 'demo' | 'trustProxy'>
  readonly whiteLabels: Pick<WhiteLabels, 'find'>
}

/**
 * Refuses requests to other host names with 421, so that no page that points its own name at this machine (DNS rebinding) reads
 * the product. With a public origin its host, those of white-labels below it and the content host are served; without one, the demo
 * is served on loopback names only, and other installations on any name. Programs on this machine may always use loopback names.
 */
export function refuseOtherHosts(app: FastifyInstance, { config, logger, whiteLabels }: Deps): void {
  const { publicOrigin, contentOrigin, demo } = config
  const publicHost = publicOrigin === null ? null : new URL(publicOrigin).hostname
  const contentHost = contentOrigin === null ? null : new URL(contentOrigin).hostname
  const isWhiteLabel = (label: string): boolean => whiteLabels.find(label) !== null

  /** A white-label's name: below the public host, or beside it when its own first label names a white-label (`createLinks`). */
  function isBelow(host: string, parent: string): boolean {
    const [first = '', ...rest] = parent.split('.')
    const base = isWhiteLabel(first) ? rest.join('.') : parent
    return base !== '' && host.endsWith(`.${base}`) && isWhiteLabel(hostLabel(host))
  }

  function isServed(hostname: string, remoteAddress: string): boolean {
    const host = hostname.toLowerCase()
    if (host === publicHost || host === contentHost) return true
    if (isLoopbackHost(host)) return publicHost === null || isLoopback(remoteAddress)
    if (publicHost !== null) return isBelow(host, publicHost)
    return !demo || host === config.host.toLowerCase()
  }

  let warned = config.trustProxy !== null
  app.addHook('onRequest', async (request, reply) => {
    if (!namesOneHost(request.raw.rawHeaders)) return ambiguousHost(reply)
    const forwarding = warned ? null : forwardingHeader(request)
    if (forwarding !== null) {
      warned = true
      logger.warn(
        `A request has the header ${forwarding}, but no proxy is trusted: limits and logs take the proxy for the client. Set PLACARD_TRUST_PROXY`,
      )
    }
    if (ON_ANY_HOST.includes(request.routeOptions.url ?? '')) return undefined
    return isServed(request.hostname, request.raw.socket.remoteAddress ?? '') ? undefined : misdirected(reply)
  })
}

/** A name or address, and perhaps a port. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i

/** `rawHeaders`: names and values in turn, repeated ones too. HTTP/1.0 needs no Host. */
export function namesOneHost(rawHeaders: readonly string[]): boolean {
  const hosts = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'host')
  return hosts.length === 0 || (hosts.length === 1 && HOST.test(hosts[0] ?? ''))
}
