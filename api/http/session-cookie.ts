import { fault } from '#domain/kit/faults'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refused } from '#commands/refused'
import { IN_COOKIE, SESSION_HEADER } from '#contract/session'
import type { Signed } from '#platform/identity/sessions'
import { cookieIn } from './cookies.ts'
import { isLoopbackHost } from './local-requests.ts'

/** Whether a page asks for the refresh token in a cookie. */
export const asksForCookie = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers[SESSION_HEADER.toLowerCase()] === IN_COOKIE

/** The refresh token of a call, and whether its body or its cookie brought it. */
type Presented = { readonly token: string; readonly by: 'body' | 'cookie' }
type Sent = Pick<FastifyRequest, 'headers' | 'hostname' | 'port' | 'protocol'>

/**
 * The refresh token in a cookie, which no script can read, for pages that ask for it by a header (fine print 90). Only refreshes and
 * sign-outs read it.
 */
export function createSessionCookie({ publicOrigin }: { readonly publicOrigin: string | null }) {
  const isHttps = publicOrigin?.startsWith('https:') === true

  /** Whether the browser reached the product over https, also through a proxy that is not trusted to say so. */
  const isSecure = ({ hostname, protocol }: Sent): boolean => protocol === 'https' || (isHttps && !isLoopbackHost(hostname))

  /**
   * `__Host-` keeps other hosts from planting the cookie; browsers take it over https alone. Over plain http the name has the port,
   * since cookies of one host are shared by its ports.
   */
  const nameFor = (request: Sent): string =>
    isSecure(request) ? '__Host-placard-refresh' : ['placard-refresh', request.port].filter(Boolean).join('-')

  function set(reply: FastifyReply, token: string, seconds: number): void {
    const secure = isSecure(reply.request) ? '; Secure' : ''
    const cookie = `${nameFor(reply.request)}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
    void reply.header('Set-Cookie', cookie)
  }

  /** Whether a page of this host sent the request, as far as the browser says. */
  function isOwnOrigin(request: Sent): boolean {
    const { origin } = request.headers
    if (origin === undefined) return true
    const sender = URL.canParse(origin) ? new URL(origin) : null
    // Ports are left out: proxies often drop them from Host.
    return sender?.hostname === request.hostname.toLowerCase() && (!isSecure(request) || sender.protocol === 'https:')
  }

  return {
    /**
     * The token that a call presents: that of its body, else that of its cookie, empty without one. 2 without either form; 5 for a
     * page of another host, whose call would bring the cookie of its user.
     */
    presented(request: FastifyRequest, inBody: string | undefined): Presented {
      if (inBody !== undefined) return { token: inBody, by: 'body' }
      if (!asksForCookie(request)) throw refused(2, [fault('refresh_token', 2, 'required')])
      if (!isOwnOrigin(request)) throw refused(5)
      return { token: cookieIn(request, nameFor(request)) ?? '', by: 'cookie' }
    },

    /** The answer of a call that gives tokens. Where the page asked for it, the refresh token moves into the cookie. */
    answer(reply: FastifyReply, given: unknown): unknown {
      if (!isSigned(given)) return given
      const { access_token, refresh_token, refresh_expires_in, ...rest } = given
      if (!asksForCookie(reply.request)) return { access_token, refresh_token, ...rest }
      set(reply, refresh_token, refresh_expires_in)
      return { access_token, ...rest }
    },

    clear: (reply: FastifyReply): void => set(reply, '', 0),
  }
}
export type SessionCookie = ReturnType<typeof createSessionCookie>

const isSigned = (given: unknown): given is Signed => typeof given === 'object' && given !== null && 'refresh_token' in given
