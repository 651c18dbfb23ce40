import { sql, type Kysely } from 'kysely'
import type { LoggedOut, Passed, Person, SignOnStore, SignOut } from '#commands/single-sign-on/single-sign-on-port'
import { hashToken } from '#commands/identity/tokens'
import { timestamptz } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import { endSignOnSessions } from '../identity/sessions.ts'
import { PERSON, personOfAddress } from '../identity/people.ts'
import type { PersonRecord } from '#commands/identity/person'
import { recordMakers } from '../identity/makers.ts'
import { createProviderStore, type ProviderStore } from './provider-store.ts'
import { createSeal, type Seal } from './sealed.ts'

/** How long a person may take at the provider. */
const ATTEMPT_MINUTES = 10
/** How long the application may take to redeem a code. */
const CODE_MINUTES = 1

type SignOnStoreDeps = {
  readonly db: Kysely<Db>
  readonly now: () => string
  readonly seal: Seal
  readonly providers: Pick<ProviderStore, 'find'>
}

/** Sign-ins under way and links of people to subjects of providers. Secrets are stored as hashes. */
function createSignOnStore({ db, now, seal, providers }: SignOnStoreDeps): SignOnStore & {
  /** Remembers that a session began by single sign-on. */
  readonly sessionBegan: (family: string, passed: Pick<Passed, 'providerId' | 'signOut' | 'session'>) => Promise<void>
} {
  const inMinutes = (minutes: number): string => new Date(Date.parse(now()) + minutes * 60_000).toISOString()

  return {
    async enabled(whitelabelId, id) {
      const provider = await providers.find(whitelabelId, id)
      return provider?.enabled === true ? provider : null
    },

    async verifiedDomains(providerId) {
      const domains = db.selectFrom('identity.sign_on_domains').select('domain').where('provider_id', '=', providerId)
      return (await domains.where('verified_at', 'is not', null).execute()).map(({ domain }) => domain)
    },

    async begin(state, browser, { providerId, returnTo }) {
      await db
        .insertInto('identity.sign_on_attempts')
        .values({
          state_hash: hashToken(state),
          browser_hash: hashToken(browser),
          provider_id: providerId,
          return_to: returnTo,
          expires_at: inMinutes(ATTEMPT_MINUTES),
        })
        .execute()
    },

    async take(state, browser) {
      // Removed by the statement that finds it: of callbacks at once, one goes on ("lets one of 30 callbacks at once in").
      const taken = await db
        .deleteFrom('identity.sign_on_attempts')
        .where('state_hash', '=', hashToken(state))
        .where('browser_hash', '=', hashToken(browser))
        .where('expires_at', '>', timestamptz(now()))
        .returning(['provider_id as providerId', 'return_to as returnTo'])
        .executeTakeFirst()
      return taken ?? null
    },

    async pass(code, browser, { providerId, personId, returnTo, signOut, session }) {
      await db
        .insertInto('identity.sign_on_codes')
        .values({
          code_hash: hashToken(code),
          browser_hash: hashToken(browser),
          provider_id: providerId,
          person_id: personId,
          return_to: returnTo,
          sign_out: sealed(signOut, `code ${hashToken(code)}`),
          provider_session: session,
          expires_at: inMinutes(CODE_MINUTES),
        })
        .execute()
    },

    async redeem(code, browser) {
      const taken = await db
        .deleteFrom('identity.sign_on_codes')
        .where('code_hash', '=', hashToken(code))
        .where('browser_hash', '=', hashToken(browser))
        .where('expires_at', '>', timestamptz(now()))
        .returning(['provider_id as providerId', 'person_id as personId', 'return_to as returnTo', 'sign_out'])
        .returning('provider_session as session')
        .executeTakeFirst()
      if (taken === undefined) return null
      const { sign_out, ...passed } = taken
      return { ...passed, signOut: openSignOut(seal, sign_out, `code ${hashToken(code)}`) }
    },

    async linked(providerId, subject) {
      const person = await db
        .selectFrom('identity.people as people')
        .innerJoin('identity.sign_on_links as l', 'l.person_id', 'people.id')
        .select(PERSON)
        .where('l.provider_id', '=', providerId)
        .where('l.subject', '=', subject)
        .executeTakeFirst()
      return person === undefined ? null : personIn(person)
    },

    async ofAddress(whitelabelId, email) {
      const person = await personOfAddress(db, whitelabelId, email)
      return person === null ? null : personIn(person)
    },

    made: (person, provider, domain) =>
      recordMakers(db, person.id, { whitelabelId: person.whitelabelId, providerId: provider.id, tokenId: null, domain }),

    async hasLink(personId) {
      const links = db.selectFrom('identity.sign_on_links').select('subject').where('person_id', '=', personId)
      return (await links.executeTakeFirst()) !== undefined
    },

    async link(providerId, subject, personId) {
      // Never in place of another subject, also of one at the same moment
      // ("a sign-in of a second subject does not take over a linked person").
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('identity.sign_on_links')
        .values({ provider_id: providerId, subject, person_id: personId, created_at: now() })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    },

    async sessionBegan(family, { providerId, signOut, session }) {
      await db
        .insertInto('identity.sign_on_sessions')
        .values({
          family,
          provider_id: providerId,
          sign_out: sealed(signOut, `session ${family}`),
          provider_session: session,
        })
        .execute()
    },
  }

  function sealed(signOut: SignOut | null, about: string): string | null {
    return signOut === null ? null : seal.seal(JSON.stringify(signOut), about)
  }
}

const personIn = ({ id, roles, status_key, suspended, deactivated, whitelabel_id, home_space_id }: PersonRecord): Person => ({
  id,
  roles,
  status_key,
  suspended,
  deactivated,
  whitelabelId: whitelabel_id,
  spaceId: home_space_id,
})

const openSignOut = ({ open }: Seal, text: string | null, about: string): SignOut | null => {
  const plain = text === null ? null : open(text, about)
  return plain === null ? null : JSON.parse(plain)
}

type SessionsDeps = Pick<StoresDeps, 'db' | 'originOf'> & { readonly seal: Seal }

/** Data that sessions that began by single sign-on need until they end. */
function createSignOnSessions({ db, seal, originOf }: SessionsDeps) {
  const sessions = db.selectFrom('identity.sign_on_sessions as s')
  return {
    /** Whether the session began by single sign-on. */
    has: async (family: string): Promise<boolean> =>
      (await sessions.select('s.family').where('s.family', '=', family).executeTakeFirst()) !== undefined,

    /** The provider at which the session began, where it still signs people in; null for other sessions. */
    providerOf: async (family: string): Promise<{ readonly id: string; readonly name: string } | null> =>
      (await sessions
        .innerJoin('identity.sign_on_providers as p', 'p.id', 's.provider_id')
        .select(['p.id', 'p.name'])
        .where('s.family', '=', family)
        .where('p.enabled', '=', true)
        .executeTakeFirst()) ?? null,

    /**
     * The sessions that began with a session at the provider, or all that began there of the person whom it names. Sessions of before
     * that named no session at the provider are those of the person.
     */
    async endedAt(providerId: string, { subject, session, before }: LoggedOut): Promise<readonly string[]> {
      const { rows } = await sql<{ readonly family: string }>`
        select s.family from identity.sign_on_sessions s join identity.session_families f on f.id = s.family
        where s.provider_id = ${providerId} and f.revoked_at is null and f.started_at <= ${before}::timestamptz
          and (s.provider_session = ${session}
            or (${session}::text is null or s.provider_session is null) and f.person_id = (
              select person_id from identity.sign_on_links where provider_id = ${providerId} and subject = ${subject}))`.execute(
        db,
      )
      return rows.map(({ family }) => family)
    },

    /** Where the browser ends the session at the provider too; null where that offers none. Once for a session. */
    endUrl: async (family: string): Promise<string | null> => {
      const ended = await db
        .deleteFrom('identity.sign_on_sessions as s')
        .using('identity.sign_on_providers as p')
        .whereRef('p.id', '=', 's.provider_id')
        .where('s.family', '=', family)
        .returning(['s.sign_out', 'p.whitelabel_id'])
        .executeTakeFirst()
      const signOut = ended === undefined ? null : openSignOut(seal, ended.sign_out, `session ${family}`)
      if (ended === undefined || signOut === null) return null
      const url = new URL(signOut.endpoint)
      url.searchParams.set('client_id', signOut.clientId)
      if (signOut.idToken !== null) url.searchParams.set('id_token_hint', signOut.idToken)
      url.searchParams.set('post_logout_redirect_uri', `${originOf(ended.whitelabel_id)}/auth/login`)
      return url.href
    },
  }
}

/** Frees a person from the subjects that they are linked to, whose sessions end; false without any. */
export const freeLinks = (db: Kysely<Db>, personId: string, now: string): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx.deleteFrom('identity.sign_on_links').where('person_id', '=', personId).executeTakeFirst()
    await endSignOnSessions(tx, personId, now)
    return numDeletedRows > 0n
  })

/** Removes sign-ins that were never finished. */
export async function purgeSignOns(db: Kysely<Db>, now: () => string): Promise<void> {
  await db.deleteFrom('identity.sign_on_attempts').where('expires_at', '<=', timestamptz(now())).execute()
  await db.deleteFrom('identity.sign_on_codes').where('expires_at', '<=', timestamptz(now())).execute()
}

type StoresDeps = {
  readonly db: Kysely<Db>
  readonly now: () => string
  /** Seals the secrets of providers. */
  readonly secret: string
  /** Origin of the application for users of a white-label. */
  readonly originOf: (whitelabelId: string) => string
}

/** The stores of single sign-on, over one seal. */
export function createSignOnStores({ db, now, secret, originOf }: StoresDeps) {
  const seal = createSeal(secret)
  const providers = createProviderStore(db, seal, now)
  return {
    providers,
    attempts: createSignOnStore({ db, now, seal, providers }),
    sessions: createSignOnSessions({ db, seal, originOf }),
  }
}
export type SignOnStores = ReturnType<typeof createSignOnStores>
