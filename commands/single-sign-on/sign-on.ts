import { PERSON_STATUS } from '#domain/registration/person-status'
import { createHmac, randomBytes } from 'node:crypto'
import { rolesOfTeam, teamOf } from '#domain/account/team'
import { confirmingAmong, ROLES, type Role } from '#domain/kit/access'
import { systemContext } from '#domain/kit/event-metadata'
import { admission, mappedRoles, type SignOnRefusal } from '#domain/single-sign-on/admission'
import { domainOfAddress } from '#domain/single-sign-on/domains'
import { isPersonName, isShortEnough } from '#domain/kit/validators'
import { heldBack, mailGiven, type SecondKey } from '../identity/second-key.ts'
import type { Team } from '../identity/team.ts'
import type { TeamPlace } from '../identity/team-port.ts'
import { Refused } from '../refused.ts'
import {
  SignOnFault,
  type Attempt,
  type Identified,
  type OpenId,
  type Passed,
  type Person,
  type Provider,
  type Secrets,
  type SignOnStore,
} from './single-sign-on-port.ts'

export type SignOnDeps = {
  readonly store: SignOnStore
  readonly openId: OpenId
  readonly team: Pick<Team, 'admit' | 'change' | 'join' | 'people'>
  readonly secondKey: SecondKey
  /** Users who set up the provider and the domain. */
  readonly makersOf: (provider: Provider, domain: string | null) => Promise<readonly string[]>
  /** The account; null for an unknown one. */
  readonly placeOf: (spaceId: string) => Promise<TeamPlace | null>
  /** Where providers of a white-label send browsers back to. */
  readonly redirectUriOf: (whitelabelId: string) => string
  readonly newId: () => string
  readonly derivedId: (...parts: readonly string[]) => string
  /** Receives why a sign-in failed, in words for the operator. */
  readonly onFault: (provider: string, fault: SignOnFault | Refused) => void
  /** Runs after a person was linked to a provider, once for each link. */
  readonly onLinked: (person: Person, provider: Provider) => Promise<void>
}

export type Finished =
  | { readonly kind: 'passed'; readonly code: string }
  | { readonly kind: 'refused'; readonly reason: SignOnRefusal }

const newSecret = (): string => randomBytes(32).toString('base64url')

/**
 * Proofs of a sign-in are derived from the secret of the browser, which is stored nowhere: a copy of the tables finishes none. 43
 * characters of base64url, as PKCE asks of a verifier.
 */
const secretsOf = (browser: string, state: string): Secrets => {
  const derived = (purpose: string) => createHmac('sha256', browser).update(`${purpose} ${state}`).digest('base64url')
  return { state, nonce: derived('nonce'), verifier: derived('verifier') }
}

/** Sign-in at an identity provider by the authorization code flow with PKCE, state and nonce (fine print 84). */
export function createSignOn(deps: SignOnDeps) {
  const { store, openId, team, secondKey, makersOf, placeOf, redirectUriOf, newId, derivedId, onFault, onLinked } = deps

  async function admitted(provider: Provider, claims: Identified): Promise<Person | SignOnRefusal> {
    const [domains, linked, found] = await Promise.all([
      store.verifiedDomains(provider.id),
      store.linked(provider.id, claims.subject),
      claims.email === null ? null : store.ofAddress(provider.whitelabelId, claims.email),
    ])
    // A record that another sign-in of the subject is making, or left half made, is made to its end.
    const isHalfMade = found !== null && found.id === idFor(provider, claims) && found.status_key === PERSON_STATUS.approved
    const ofAddress = isHalfMade ? null : found
    const { trustsAddresses, defaultSpaceId } = provider
    const rules = { trustsAddresses, domains, admitsUnknown: defaultSpaceId !== null }
    const isTaken = linked === null && ofAddress !== null && (await store.hasLink(ofAddress.id))
    const decided = admission(claims, rules, { linked, ofAddress, isTaken })
    if (decided.kind === 'refused') return decided.reason
    const person = decided.kind === 'new' ? await added(provider, claims) : (linked ?? ofAddress)
    if (person === null) return 'unknown'
    if (linked === null) {
      if (await store.link(provider.id, claims.subject, person.id)) await onLinked(person, provider)
      // Another sign-in has linked the person at the same moment: of this subject, or of another one.
      else if ((await store.linked(provider.id, claims.subject))?.id !== person.id) return 'unverified'
    }
    if (decided.kind === 'known' && decided.joins) await team.join(person.spaceId, context(), person.id)
    return (await followRoles(provider, claims, person)) ? person : 'unknown'
  }

  /** The id of a person without a record, by the subject: of sign-ins at once, each finds the record of the first. */
  const idFor = (provider: Provider, { subject }: Identified) => derivedId('single-sign-on', provider.id, subject)

  /** A record for a person without one, by an invitation that is accepted at once. */
  async function added(provider: Provider, claims: Identified): Promise<Person | null> {
    const { email } = claims
    const place = provider.defaultSpaceId === null ? null : await placeOf(provider.defaultSpaceId)
    if (place === null || place.whitelabelId !== provider.whitelabelId || email === null) return null
    const { state } = await team.people(place.spaceId)
    const wanted = mappedRoles(claims.roleValues, provider.roleMapping, rolesOfTeam(state.house)) ?? provider.defaultRoles
    const { given: roles } = await heldBack(secondKey, provider.whitelabelId, wanted, [])
    const id = idFor(provider, claims)
    const names = { first_name: nameOf(claims.firstName), last_name: nameOf(claims.lastName) }
    await team.admit(place, context(), id, { email, ...names, roles })
    const person = await store.ofAddress(provider.whitelabelId, email)
    if (person === null) return null
    await store.made(person, provider, domainOfAddress(email))
    await mailGiven(secondKey, { whitelabelId: provider.whitelabelId, personId: person.id, roles, before: [], position: null })
    await giveRoles(provider, claims, { person, before: person.roles, wanted })
    return person
  }

  /**
   * Gives the person the roles that the claim says; false for a person whom it names no more, and for whom the provider has no other roles.
   * What the account's rules refuse, such as taking its last owner, stays as it is.
   */
  async function followRoles(provider: Provider, claims: Identified, person: Person): Promise<boolean> {
    const { roleMapping, followsClaim } = provider
    if (roleMapping.length === 0 || (claims.roleValues === null && !followsClaim)) return true
    const { state } = await team.people(person.spaceId)
    const before = teamOf(state).find(({ person_id }) => person_id === person.id)?.roles ?? person.roles
    const mapped = mappedRoles(claims.roleValues, roleMapping, rolesOfTeam(state.house))
    const wanted = mapped ?? (followsClaim ? unmapped(provider, person, before) : before)
    await giveRoles(provider, claims, { person, before, wanted })
    return wanted.length > 0
  }

  /** The roles of a person whom the claim does not name: those for new people of the account, or else those that no value gives. */
  function unmapped({ defaultSpaceId, defaultRoles, roleMapping }: Provider, person: Person, before: readonly Role[]) {
    if (defaultSpaceId === person.spaceId && defaultRoles.length > 0) return defaultRoles
    const byClaim = roleMapping.flatMap(({ roles }) => roles)
    return before.filter((role) => !byClaim.includes(role))
  }

  type Wanted = { readonly person: Person; readonly before: readonly Role[]; readonly wanted: readonly Role[] }
  async function giveRoles(provider: Provider, { email }: Identified, { person, before, wanted }: Wanted): Promise<void> {
    const { id: personId, spaceId } = person
    const { whitelabelId } = provider
    const by = 'system:single-sign-on'
    const { given: roles, held } = await heldBack(secondKey, whitelabelId, wanted, before)
    const lost = confirmingAmong(ROLES).filter((role) => !wanted.includes(role))
    await secondKey.withdrawRoles({ personIds: [personId], roles: lost, by })
    if (held.length > 0) {
      const makers = await makersOf(provider, email === null ? null : domainOfAddress(email))
      await secondKey.askForRoles({ whitelabelId, spaceId, personId, roles: held, by, origin: provider.id, makers })
    }
    // The account keeps no person without a role: one whom the claim names no more stays out.
    if (roles.length === 0 || (roles.length === before.length && roles.every((role) => before.includes(role)))) return
    const issuer = { context: context(), byAdministrator: false }
    try {
      const { position } = await team.change(spaceId, issuer, { type: 'ChangeRoles', personId, roles })
      await mailGiven(secondKey, { whitelabelId, personId, roles, before, position })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      onFault(provider.id, error)
    }
  }

  const context = () => systemContext('single-sign-on', newId())

  return {
    /** Begins a sign-in: the address at the provider, and the secret that the browser keeps. Null for an unknown provider. */
    async begin(
      whitelabelId: string,
      { providerId, returnTo }: Attempt,
    ): Promise<{ readonly url: string; readonly browser: string } | { readonly reason: SignOnRefusal } | null> {
      const provider = await store.enabled(whitelabelId, providerId)
      if (provider === null) return null
      const [browser, state] = [newSecret(), newSecret()]
      try {
        const url = await openId.authorizationUrl(provider, redirectUriOf(whitelabelId), secretsOf(browser, state))
        await store.begin(state, browser, { providerId, returnTo })
        return { url, browser }
      } catch (error) {
        if (!(error instanceof SignOnFault)) throw error
        onFault(provider.id, error)
        return { reason: error.reason }
      }
    },

    /**
     * Finishes a sign-in by the query of the provider's callback. The code that it answers works once, for a minute, in this browser.
     * Of callbacks at once, one finishes it.
     */
    async finish(whitelabelId: string, browser: string, query: URLSearchParams): Promise<Finished> {
      const state = query.get('state') ?? ''
      const attempt = await store.take(state, browser)
      const provider = attempt === null ? null : await store.enabled(whitelabelId, attempt.providerId)
      if (attempt === null || provider === null) return { kind: 'refused', reason: 'over' }
      // Never the address of the request: its host is the sender's choice.
      const callback = new URL(redirectUriOf(whitelabelId))
      callback.search = query.toString()
      try {
        const identified = await openId.identify(provider, callback, secretsOf(browser, state))
        const person = await admitted(provider, identified)
        if (typeof person === 'string') return { kind: 'refused', reason: person }
        const code = newSecret()
        await store.pass(code, browser, {
          ...attempt,
          personId: person.id,
          signOut: identified.signOut,
          session: identified.session,
        })
        return { kind: 'passed', code }
      } catch (error) {
        if (error instanceof SignOnFault) {
          onFault(provider.id, error)
          return { kind: 'refused', reason: error.reason }
        }
        // The account is full, or the address belongs to a person of another account.
        if (!(error instanceof Refused)) throw error
        onFault(provider.id, error)
        return { kind: 'refused', reason: 'unknown' }
      }
    },

    /** User who finished a sign-in with this code; null when it is over, was used, or came from another browser. */
    async redeem(whitelabelId: string, code: string, browser: string): Promise<Passed | null> {
      const passed = await store.redeem(code, browser)
      // The provider may have been switched off since.
      return passed !== null && (await store.enabled(whitelabelId, passed.providerId)) !== null ? passed : null
    },
  }
}

/** Names of people follow the same rules wherever they come from. */
const nameOf = (name: string): string => (isPersonName(name) && isShortEnough(name, 100) ? name.trim() : '')
