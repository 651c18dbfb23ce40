import { languageOf, wireLocaleOf } from '#domain/kit/languages'
import { actorOf, type AccountAccess, type PersonRecord } from '#commands/identity/person'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { basicClient, isBasic } from '#api/http/client-credentials'
import { clientOf } from '#api/http/client'
import { MAX_MARGIN, TERMS_AGREED } from '#domain/account/settings'
import { may, rightsAt, sees, type Actor } from '#domain/kit/access'
import { fromMicros } from '#domain/kit/money'
import { offsetAt, type Zone } from '#domain/kit/time-zone'
import * as contract from '#contract/session'
import type { User } from '#contract/session'
import type { AccountRow } from '#projections/account/accounts'
import { personOf } from '#api/http/person'
import type { Served } from '#api/areas/services'
import { register } from '#api/http/register'
import { asksForCookie } from '#api/http/session-cookie'
import { isUnattended } from '#api/http/unattended'
import { Refused, refused } from '#commands/refused'
import { asksWhySwitch, keyDaysOf, requiresSecondFactor } from '#api/areas/white-label/white-labels'
import type { ClientCredentials } from '#platform/identity/sessions'
import type { Profiles } from '#platform/identity/profiles'
import { findInDirectory, type DirectoryRow } from '#projections/account/directory'
import { registeringIn } from '#projections/account/people'
import { createSignIn } from './sign-in.ts'
import type { SignInLimits } from './sign-in-limits.ts'

/** Signing in and out, the user's own record, and switching accounts. */
export function registerSessionRoutes(
  app: FastifyInstance,
  kit: Served<
    | 'accounts'
    | 'db'
    | 'fingerprint'
    | 'passkeys'
    | 'people'
    | 'queueMail'
    | 'secondFactor'
    | 'security'
    | 'sessions'
    | 'whiteLabels'
  >,
  profiles: Profiles,
  limits: SignInLimits,
): void {
  const { accounts, db, guards, now, people, secondFactor, security, sessions, whiteLabels } = kit
  const { sessionCookie } = guards
  const authenticate = createSignIn(kit, limits)

  register(app, guards, contract.signIn, async (call, reply) => {
    const { whiteLabel, body } = call
    if (body.grant_type === 'client_credentials')
      return authenticate.byClient(whiteLabel.id, clientIn(reply.request, body), clientOf(call, reply))
    // Other grants know no such header.
    if (isBasic(reply.request)) throw refused(401)
    return body.grant_type === 'otp'
      ? authenticate.byCode(body.challenge, body.code, clientOf(call, reply))
      : authenticate.byPassword(whiteLabel.id, body.username, body.password, clientOf(call, reply))
  })
  register(app, guards, contract.beginPasskeySignIn, async ({ whiteLabel, body: { challenge } }) => {
    if (challenge === undefined) return kit.passkeys.beginSignIn(whiteLabel.id)
    const personId = await secondFactor.personOf(challenge)
    if (personId === null) throw refused(5)
    return kit.passkeys.beginSignIn(whiteLabel.id, { challenge, personId })
  })
  register(app, guards, contract.signInByPasskey, async (call, reply) => {
    const { credential, challenge = null } = call.body
    return authenticate.byPasskey(call.whiteLabel.id, { credential, challenge }, clientOf(call, reply))
  })
  register(app, guards, contract.refreshSession, async ({ body, address, isLocal }, reply) => {
    const from = { address, isLocal, unattended: isUnattended(reply.request), inCookie: asksForCookie(reply.request) }
    const { token, by } = sessionCookie.presented(reply.request, body.refresh_token)
    if (by === 'body') return sessions.refresh(token, from)
    try {
      return await sessions.refreshShared(token, from)
    } catch (error) {
      if (isOver(error)) sessionCookie.clear(reply)
      throw error
    }
  })
  register(app, guards, contract.signOut, async ({ body }, reply) => {
    const { token } = sessionCookie.presented(reply.request, body.refresh_token)
    const end_url = await sessions.signOut(token)
    if (asksForCookie(reply.request)) sessionCookie.clear(reply)
    return { end_url }
  })

  register(app, guards, contract.getUser, async (call) => {
    const actor = personOf(call)
    const id = call.params.id === 'me' ? actor.userId : call.params.id
    const person = await people.find(id)
    if (person === null) throw refused(6)
    // Other fields are details of the user's account, with its balance.
    const place = { whitelabelId: person.whitelabel_id, spaceId: person.home_space_id }
    if (id !== actor.userId && !sees(actor, place)) throw refused(6)
    // System administrators stand above the white-label that they belong to.
    if (person.roles.includes('SYSTEM_ADMIN') && !actor.roles.includes('SYSTEM_ADMIN')) throw refused(6)
    if (id !== actor.userId && !may(actor, 'account.list', place)) throw refused(3)
    const isSelf = id === actor.userId
    const [account, entry, phone, own, choices, factor, updated_at] = await Promise.all([
      accounts.find(isSelf ? actor.spaceId : person.home_space_id),
      findInDirectory(db, isSelf && !isHome(actor, person) ? { spaceId: actor.homeSpaceId } : { userId: id }),
      people.phoneOf(id),
      people.accessOf(id),
      profiles.choicesOf(id),
      secondFactor.state(id),
      profiles.updatedAt(id),
    ])
    const isRestricted = call.identity.kind === 'person' && call.identity.restricted === true
    const isRequired = requiresSecondFactor(whiteLabels, actorOf(person, person.home_space_id))
    return {
      ...userOut(person, account, now()),
      phone,
      ...(isSelf ? accessOut(actor) : {}),
      accounts: isSelf ? await named(own) : [],
      ...zoneOut(whiteLabels.brandOf(account?.whitelabel_id ?? person.whitelabel_id).zone, now()),
      ...termsOut(entry, may(actor, 'max-margin.read', place)),
      settings: paying(choices, account),
      second_factor: factor.on,
      api_key_days: keyDaysOf(whiteLabels, person.whitelabel_id),
      // A session that began at an identity provider needs no other factor.
      second_factor_required: isRequired && (factor.on || id !== actor.userId || isRestricted),
      updated_at,
      deleted_at: null,
    }
  })

  const named = (own: readonly AccountAccess[]) =>
    Promise.all(
      own.map(async ({ space_id, home, roles }) => {
        const account = await accounts.find(space_id)
        return { space_id, space_name: account?.name ?? '', home, roles: [...roles] }
      }),
    )

  register(app, guards, contract.switchAccount, async (call, { request }) => {
    const actor = personOf(call)
    const spaceId = call.params.id
    const [account, registering] = await Promise.all([accounts.find(spaceId), registeringIn(db, spaceId)])
    // A registrant has no account before an approval.
    const whitelabelId = account?.whitelabel_id ?? registering
    const place = whitelabelId === null ? null : { spaceId, whitelabelId }
    // Returning to the home space, and one's other accounts (decisions G-199, fine print 93).
    const own = (await people.accessOf(actor.userId)).some(({ space_id }) => space_id === spaceId)
    if (!own && (place === null || !sees(actor, place))) throw refused(6)
    if (!own && (place === null || !may(actor, 'account.switch', place))) throw refused(3)
    if (!own && registering !== null) throw refused(163)
    const reason = call.body.reason?.trim() ?? ''
    if (!own && place !== null && reason === '' && asksWhySwitch(whiteLabels, place.whitelabelId))
      throw refused(2, [{ path: 'reason', code: 2, message: 'Say why you act in this account' }])
    const person = await people.find(actor.userId)
    if (person === null || call.identity.kind !== 'person') throw refused(6)
    const signed = await sessions.switchTo(person, spaceId, call.identity.session.id, asksForCookie(request))
    await security.record('account-switched', call, { space: spaceId, ...(reason === '' ? {} : { reason }) })
    return signed
  })
}

/** Whether a refresh was refused for good: the token works no more, wherever it comes from. */
const isOver = (error: unknown): boolean => error instanceof Refused && [4, 5].includes(error.rejection.code)

type ClientBody = {
  readonly client_id?: string | undefined
  readonly client_secret?: string | undefined
  readonly scope?: string | undefined
}

/** The credentials of the header or of the body; 2 with both, 401 with neither (RFC 6749 sections 2.3 and 5.2). */
function clientIn(request: FastifyRequest, { client_id: id, client_secret, scope }: ClientBody): ClientCredentials {
  const client = isBasic(request) ? basicClient(request) : null
  const isNamed = id === undefined || id === client?.id
  if (isBasic(request) && (client_secret !== undefined || !isNamed))
    throw refused(2, [
      { path: 'client_secret', code: 2, message: 'Send the credentials in the header or in the body, not in both' },
    ])
  const names = scope?.split(' ').filter((name) => name !== '')
  return {
    id: client?.id ?? id ?? '',
    secret: client?.secret ?? client_secret ?? '',
    scopes: names === undefined || names.length === 0 ? undefined : names,
  }
}

/** Whether an account may pay is a setting of the account (decisions G-215). */
const paying = (choices: User['settings'], account: AccountRow | null): User['settings'] => ({
  ...choices,
  allow_make_payment: choices.allow_make_payment && (account?.settings.allow_make_payment ?? true),
})

/** Time zone whose days the invoices and reports of an account follow. */
const zoneOut = (zone: Zone, now: string) => ({
  time_zone: typeof zone === 'string' ? zone : null,
  timezone_offset_seconds: offsetAt(zone, now),
})

/** Terms of a person's home account, and how it registered. */
const termsOut = (entry: DirectoryRow | null, showsMargin: boolean) => ({
  credit_limit: fromMicros(entry?.credit_limit ?? 0),
  invoice_due_day: entry?.settings.invoice_due_day ?? null,
  rewarded_ads_cpm_rate: fromMicros(entry?.settings.rewarded_ads_cpm_rate ?? 0),
  maxMargin: showsMargin ? (entry?.settings.max_margin ?? MAX_MARGIN) : null,
  legal_entity_name: entry?.legal_entity_name ?? null,
  tin_number: entry?.tin_number ?? null,
  tos_status_type_key: TERMS_AGREED,
  moderator_comment: entry?.moderator_comment ?? null,
})

/** The access of the caller in the account that the session acts in. */
const accessOut = ({ roles, rights, homeSpaceId }: Actor) => ({
  roles: [...roles],
  rights: [...(rights ?? [])],
  role_key: roles[0] ?? '',
  home_space_id: homeSpaceId,
})

const isHome = (actor: Actor, person: PersonRecord): boolean => actor.homeSpaceId === person.home_space_id

const userOut = (
  person: PersonRecord,
  account: AccountRow | null,
  at: string,
): Omit<
  User,
  | keyof ReturnType<typeof termsOut>
  | keyof ReturnType<typeof zoneOut>
  | 'phone'
  | 'settings'
  | 'accounts'
  | 'second_factor'
  | 'second_factor_required'
  | 'api_key_days'
  | 'updated_at'
  | 'deleted_at'
> => ({
  id: person.id,
  email: person.email,
  first_name: person.first_name,
  last_name: person.last_name,
  country: person.country,
  company_name: person.company_name,
  locale: wireLocaleOf(languageOf(person.language_key)),
  language_key: person.language_key,
  user_type_key: person.type_key,
  status_key: person.status_key,
  profile_image: person.picture_id === null ? null : { picture_id: person.picture_id },
  roles: [...person.roles],
  rights: [...rightsAt(person.rights, at)],
  role_key: person.roles[0] ?? '',
  space_id: account?.space_id ?? person.home_space_id,
  space_name: account?.name ?? '',
  home_space_id: person.home_space_id,
  currency: account?.currency ?? 'USD',
  balance: fromMicros(account?.balance ?? 0),
  whitelabel_id: person.whitelabel_id,
  created_at: new Date(person.created_at).toISOString(),
})
