import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refused, refused } from '#commands/refused'
import type { Team } from '#commands/identity/team'
import { SignOnFault, type OpenId, type Provider } from '#commands/single-sign-on/single-sign-on-port'
import { createSignOn, type SignOnDeps } from '#commands/single-sign-on/sign-on'
import * as contract from '#contract/single-sign-on'
import type { SignOnRefusal } from '#domain/single-sign-on/admission'
import { createEntrance } from '#api/areas/identity/sessions/entrance'
import { clientOf } from '#api/http/client'
import { cookieIn } from '#api/http/cookies'
import { register } from '#api/http/register'
import { callbackUrl } from './callback.ts'
import type { Served } from '#api/areas/services'

/** Sign-ins by network, which an office shares: each stores a row and may ask the provider. A finished one counts twice. */
const STARTS = { limit: 600, seconds: 600 }
const FINISHES = { limit: 1200, seconds: 600 }

/** Sign-outs by network: a provider of many people sends them from a few addresses. */
const SIGN_OUTS = { limit: 6000, seconds: 600 }

const COOKIE_SECONDS = 600
/** The secret of a browser: 256 bits, base64url. */
const SECRET = /^[\w-]{43}$/

/** Signing in at an identity provider (fine print 84). */
export function registerSignOnRoutes(
  app: FastifyInstance,
  kit: Served<
    | 'accounts'
    | 'db'
    | 'fingerprint'
    | 'limits'
    | 'links'
    | 'people'
    | 'queueMail'
    | 'secondPerson'
    | 'security'
    | 'sessions'
    | 'signOn'
    | 'whiteLabels'
  >,
  { openId, team, makersOf }: { readonly openId: OpenId; readonly team: Team; readonly makersOf: SignOnDeps['makersOf'] },
): void {
  const {
    accounts,
    db,
    derivedId,
    fingerprint,
    guards,
    limits,
    links,
    logger,
    newId,
    people,
    queueMail,
    secondPerson,
    security,
    sessions,
    signOn,
  } = kit
  const { enter } = createEntrance(kit)

  const processOf = (network: string) =>
    createSignOn({
      store: signOn.attempts,
      openId,
      team,
      secondKey: secondPerson,
      makersOf,
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

  register(app, guards, contract.endSignOn, async ({ whiteLabel, network, body }) => {
    await limits.reserve([{ key: `single sign-on ends ${fingerprint(network)}`, ...SIGN_OUTS }])
    const provider = await senderOf(whiteLabel.id, body.logout_token)
    if (provider === null) throw refused(2, [{ path: 'logout_token', code: 2, message: 'It is from no provider of this host' }])
    try {
      const families = await signOn.sessions.endedAt(provider.id, await openId.loggedOut(provider, body.logout_token))
      const ended = await sessions.endEach(families)
      for (const id of ended)
        await security.sessionsEnded({ id, whitelabel_id: whiteLabel.id }, { network, by: 'provider', provider: provider.id })
      return { ended: ended.length }
    } catch (error) {
      if (!(error instanceof SignOnFault)) throw error
      logger.warn({ provider: provider.id, reason: error.reason }, `a sign-out at an identity provider failed: ${error.message}`)
      throw refused(2, [{ path: 'logout_token', code: 2, message: 'It proves nothing' }])
    }
  })

  /** The provider that a token says it is from, while it is switched on. */
  async function senderOf(whitelabelId: string, token: string): Promise<Provider | null> {
    const claimed = openId.claimedIn(token)
    const found = (await signOn.providers.list(whitelabelId)).find(
      ({ enabled, issuer, clientId }) =>
        enabled && claimed !== null && sameIssuer(issuer, claimed.issuer) && claimed.audience.includes(clientId),
    )
    return found ?? null
  }
}

/** To the sign-in page, which has a sentence for each reason. */
const backToSignIn = (reply: FastifyReply, reason: SignOnRefusal) => reply.redirect(`/auth/login?sign_on=${reason}`, 303)

/** Owners type an issuer with or without the slash at its end. */
const sameIssuer = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href

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
