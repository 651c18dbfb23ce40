import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refused, refused } from '#commands/refused'
import type { Team } from '#commands/identity/team'
import type { OpenId } from '#commands/single-sign-on/single-sign-on-port'
import { createSignOn } from '#commands/single-sign-on/sign-on'
import * as contract from '#contract/single-sign-on'
import type { SignOnRefusal } from '#domain/single-sign-on/admission'
import { createEntrance } from '#api/areas/identity/sessions/entrance'
import { clientOf } from '#api/http/client'
import { cookieIn } from '#api/http/cookies'
import { register } from '#api/http/register'
import { callbackUrl } from './callback.ts'
import type { SingleSignOnServed } from './uses.ts'

/** Sign-ins by network, which an office shares: each stores a row and may ask the provider. A finished one counts twice. */
const STARTS = { limit: 600, seconds: 600 }
const FINISHES = { limit: 1200, seconds: 600 }

const COOKIE_SECONDS = 600
/** The secret of a browser: 256 bits, base64url. */
const SECRET = /^[\w-]{43}$/

/** Signing in at an identity provider (fine print 84). */
export function registerSignOnRoutes(
  app: FastifyInstance,
  kit: SingleSignOnServed,
  { openId, team }: { readonly openId: OpenId; readonly team: Team },
): void {
  const { accounts, db, derivedId, fingerprint, guards, limits, links, logger, newId, people, queueMail, security, signOn } = kit
  const { enter } = createEntrance(kit)

  const processOf = (network: string) =>
    createSignOn({
      store: signOn.attempts,
      openId,
      team,
      placeOf: async (spaceId) => {
        const account = await accounts.opened(spaceId)
        return account === null ? null : { spaceId, whitelabelId: account.whitelabel_id, name: account.name }
      },
      redirectUriOf: (label) => callbackUrl(links.originOf(label)),
      newId,
      derivedId,
      onFault: (provider, fault) =>
        logger.warn(
          { provider, reason: fault instanceof Refused ? fault.rejection.code : fault.reason },
          `a sign-in at an identity provider failed: ${fault.message}`,
        ),
      onLinked: async (person, provider) => {
        const { id, whitelabelId } = person
        await security.signOnLinked({ id, whitelabel_id: whitelabelId }, network, provider.id)
        const to = { personId: id }
        await queueMail(db, { id: newId(), whitelabelId, to, template: 'sign-on-linked', data: { provider: provider.name } })
      },
    })

  register(app, guards, contract.signOnOffers, async ({ whiteLabel, query }) => {
    const providers = (await signOn.providers.list(whiteLabel.id)).filter(({ enabled }) => enabled)
    const required = query.domain === undefined ? null : await people.insteadOfPassword(whiteLabel.id, `_@${query.domain}`)
    return { providers: providers.map(({ id, name }) => ({ id, name })), required: required?.id ?? null }
  })

  register(app, guards, contract.startSignOn, async ({ whiteLabel, network, params, query }, reply) => {
    await limits.reserve([{ key: `single sign-on starts ${fingerprint(network)}`, ...STARTS }])
    const returnTo = query.to ?? '/'
    const begun = await processOf(network).begin(whiteLabel.id, { providerId: params.id, returnTo })
    if (begun === null) return backToSignIn(reply, 'unknown')
    if ('reason' in begun) return backToSignIn(reply, begun.reason)
    return reply.header('Set-Cookie', cookieOf(links.originOf(whiteLabel.id), begun.browser)).redirect(begun.url, 303)
  })

  register(app, guards, contract.finishSignOn, async ({ whiteLabel, network }, reply) => {
    await limits.reserve([{ key: `single sign-on finishes ${fingerprint(network)}`, ...FINISHES }])
    const browser = browserOf(reply.request, links.originOf(whiteLabel.id))
    const { searchParams } = new URL(reply.request.url, 'http://callback.invalid')
    const finished = await processOf(network).finish(whiteLabel.id, browser, searchParams)
    if (finished.kind === 'refused') {
      security.signInFailed(whiteLabel.id, null, network)
      return backToSignIn(reply, finished.reason)
    }
    // In the fragment, which browsers send to no server.
    return reply.redirect(`/auth/login#sign-on=${finished.code}`, 303)
  })

  register(app, guards, contract.redeemSignOn, async (call, reply) => {
    const { whiteLabel, network, isLocal, body } = call
    await limits.reserve([{ key: `single sign-on finishes ${fingerprint(network)}`, ...FINISHES }])
    const origin = links.originOf(whiteLabel.id)
    const passed = await processOf(network).redeem(whiteLabel.id, body.code, browserOf(reply.request, origin))
    if (passed === null) throw refused(5)
    const person = await people.entering(passed.personId, isLocal)
    if (person === null || person.whitelabel_id !== whiteLabel.id) throw refused(401)
    const id = newId()
    const details = { by: 'single-sign-on', provider: passed.providerId } as const
    const signed = await enter(person, clientOf(call, reply), { id, details })
    await signOn.attempts.sessionBegan(id, passed)
    void reply.header('Set-Cookie', cookieOf(origin, ''))
    return { ...signed, to: passed.returnTo }
  })
}

/** To the sign-in page, which has a sentence for each reason. */
const backToSignIn = (reply: FastifyReply, reason: SignOnRefusal) => reply.redirect(`/auth/login?sign_on=${reason}`, 303)

const isSecure = (origin: string): boolean => origin.startsWith('https:')

/** `__Host-` keeps other hosts from planting the cookie; browsers take it over https alone. */
const nameOf = (origin: string): string => (isSecure(origin) ? '__Host-placard-sign-on' : 'placard-sign-on')

/** The cookie that binds a sign-in to the browser that began it; an empty secret removes it. Lax: the provider sends browsers back. */
function cookieOf(origin: string, secret: string): string {
  const age = secret === '' ? 0 : COOKIE_SECONDS
  return `${nameOf(origin)}=${secret}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${isSecure(origin) ? '; Secure' : ''}`
}

/** The secret of the browser of a request; empty without one. */
function browserOf(request: FastifyRequest, origin: string): string {
  const secret = cookieIn(request, nameOf(origin)) ?? ''
  return SECRET.test(secret) ? secret : ''
}
