import { sql, type Kysely } from 'kysely'
import { storableJson } from '#domain/kit/text'
import type { SecurityEvent } from '#commands/identity/forward-security-events'
import type { Identity } from '#commands/identity/identity'
import { isoText } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'

/** Security events (fine print 52). */
export type SecurityEventType =
  | 'sign-in'
  | 'sign-in-failed'
  | 'proved'
  | 'proof-failed'
  | 'refused'
  | 'account-switched'
  | 'credential-created'
  | 'credential-revoked'
  | 'profile-changed'
  | 'session-ended'
  | 'second-factor-on'
  | 'second-factor-off'
  | 'recovery-codes-renewed'
  | 'passkey-added'
  | 'passkey-removed'
  | 'passkey-copied'
  | 'sign-on-linked'
  | 'own-data-downloaded'
  | 'api-key-created'
  | 'api-key-revoked'
  | 'pixel-changed'
  | 'settings-changed'
  | 'people-changed'
  | 'exported'
  | 'credited'
  | 'suspended'
  | 'restored'
  | 'job-retried'
  | 'job-discarded'
  | 'stream-retried'

type InWhiteLabel = { readonly id: string; readonly whitelabel_id: string }
type Details = Readonly<Record<string, string | number | null>>

/** A raw event, before sensitive parts are hashed or sealed. */
type Seen = {
  readonly type: SecurityEventType
  readonly whitelabelId: string | null
  readonly personId: string | null
  readonly network: string
  /** The address of a sign-in attempt. */
  readonly address?: string
  readonly details: Details
}

export type SecurityLogDeps = {
  readonly db: Kysely<Db>
  /** One structured line per row. */
  readonly log: (line: object, message: string) => void
  readonly onError: (error: unknown) => void
  readonly now: () => string
  /** A keyed hash. */
  readonly fingerprint: (text: string) => string
  /** A text under a person's own key; null when that key was erased. */
  readonly seal: (text: string, personId: string) => Promise<string | null>
}

/** How often counted events are written, milliseconds. */
const FLUSH_MS = 1000
/** Window in which repeats of one event are counted before they are written as one row. */
const WINDOW_MS = 60_000
/** Different events per window that get rows of their own; all others of a type share one. */
const MOST_ROWS = 200

/** Events as they are shown. */
export const shownEvents = (db: Kysely<Db>) =>
  db
    .selectFrom('app.security_events as e')
    .select((eb) => [sql<string>`e.id::text`.as('id'), isoText(eb.ref('e.at')).as('at')])
    .select(['e.type', 'e.whitelabel_id', 'e.person_id', 'e.client_network', 'e.details', 'e.count'])

const COUNTED_FROM_ZERO: readonly SecurityEventType[] = ['sign-in', 'sign-in-failed', 'proof-failed', 'refused', 'passkey-copied']

/**
 * Security events as log lines and rows of an append-only table. Neither contains a secret, a token, a name or an address:
 * - People are named by id; an address that failed to sign in, by the id of its owner. The network (/24 or /64) in such a row is
 *   sealed under that person's own key, so an erasure makes it unreadable.
 * - An address without an owner, and the network of an anonymous row, are keyed hashes.
 * Refusals and failed sign-ins are counted: the first of a kind (same type, caller, network and call) is written within a second,
 * its repeats as one row a minute later, and each process writes rows for at most 201 kinds a minute.
 */
export function createSecurityLog(deps: SecurityLogDeps) {
  const { db, fingerprint } = deps
  let waiting: { seen: Seen; count: number }[] = []
  const repeats = new Map<string, { readonly seen: Seen; count: number }>()
  // With those that an alert asks for from the start: a rate needs a zero before the first.
  const counts = new Map<SecurityEventType, number>(COUNTED_FROM_ZERO.map((type) => [type, 0]))
  const tally = (type: SecurityEventType) => counts.set(type, (counts.get(type) ?? 0) + 1)
  let windowEnds = Date.now() + WINDOW_MS
  let writing: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    writing = flush().catch(deps.onError)
  }, FLUSH_MS)
  timer.unref()

  function countIn(seen: Seen): void {
    tally(seen.type)
    const kind = JSON.stringify(seen)
    const key = repeats.has(kind) || repeats.size < MOST_ROWS ? kind : seen.type
    const known = repeats.get(key)
    if (known !== undefined) known.count += 1
    else {
      const one = key === kind ? seen : { ...seen, personId: null, network: 'many', details: {} }
      const { address: _, ...rest } = one
      repeats.set(key, { seen: key === kind ? one : rest, count: 0 })
      waiting.push({ seen: key === kind ? one : rest, count: 1 })
    }
  }

  function writeNow(seen: Seen): Promise<void> {
    tally(seen.type)
    return write(seen, 1)
  }

  async function flush(everything = false): Promise<void> {
    if (everything || Date.now() >= windowEnds) {
      windowEnds = Date.now() + WINDOW_MS
      waiting.push(...[...repeats.values()].filter(({ count }) => count > 0))
      repeats.clear()
    }
    const batch = waiting
    waiting = []
    for (const { seen, count } of batch) await write(seen, count)
  }

  async function write(seen: Seen, count: number): Promise<void> {
    const owner = seen.address === undefined ? null : await ownerOf(seen.address, seen.whitelabelId)
    const personId = seen.personId ?? owner
    const hidden = seen.address === undefined || owner !== null ? {} : { address: fingerprint(`address ${seen.address}`) }
    const details = { ...seen.details, ...hidden }
    const network = personId === null ? fingerprint(`network ${seen.network}`) : await deps.seal(seen.network, personId)
    const { type, whitelabelId } = seen
    await db
      .insertInto('app.security_events')
      .values({
        at: deps.now(),
        type,
        whitelabel_id: whitelabelId,
        person_id: personId,
        client_network: network,
        details: storableJson(details),
        count,
      })
      .execute()
    deps.log({ security: type, whitelabel: whitelabelId, person: personId, network, ...details, count }, 'security event')
  }

  async function ownerOf(address: string, whitelabelId: string | null): Promise<string | null> {
    const people = db.selectFrom('identity.people').select('id').where('whitelabel_id', '=', whitelabelId)
    const owner = await people.where('email', '=', address.trim().toLowerCase()).executeTakeFirst()
    return owner?.id ?? null
  }

  const personIn = (identity: Identity) => (identity.kind === 'person' ? identity.actor : null)
  /** Null for the service token, which acts for every white-label. */
  function whitelabelOf(identity: Identity, ofHost: string): string | null {
    if (identity.kind === 'directory') return identity.token.whitelabelId
    return identity.kind === 'service'
      ? (identity.credential?.whitelabelId ?? null)
      : (personIn(identity)?.whitelabelId ?? ofHost)
  }
  const credentialIn = (identity: Identity) => {
    if (identity.kind === 'directory') return { credential: identity.token.id }
    return identity.kind === 'service' ? { credential: identity.credential?.id ?? 'service token' } : {}
  }

  return {
    /** Events since the start of this process, by type. */
    counts: counts as ReadonlyMap<string, number>,

    /** Writes an action of a signed-in user; it is durable when this resolves. */
    record(
      type: SecurityEventType,
      call: { readonly identity: Identity; readonly network: string; readonly whiteLabel: { readonly id: string } },
      details: Details = {},
    ): Promise<void> {
      const { identity, network, whiteLabel } = call
      const personId = personIn(identity)?.userId ?? null
      return writeNow({ type, whitelabelId: whitelabelOf(identity, whiteLabel.id), personId, network, details })
    },

    signedIn: (person: InWhiteLabel, network: string, details: Details = {}) =>
      writeNow({ type: 'sign-in', whitelabelId: person.whitelabel_id, personId: person.id, network, details }),

    /** `address` is null for an attempt that named none. */
    signInFailed: (whitelabelId: string, address: string | null, network: string): void =>
      countIn({
        type: 'sign-in-failed',
        whitelabelId,
        personId: null,
        network,
        ...(address === null ? {} : { address }),
        details: {},
      }),

    /** Counts a wrong password, code or passkey within a session. */
    proofFailed: (person: InWhiteLabel, network: string): void =>
      countIn({ type: 'proof-failed', whitelabelId: person.whitelabel_id, personId: person.id, network, details: {} }),

    /** Sessions ended without a call of their user. */
    sessionsEnded: (person: InWhiteLabel, { network, ...details }: { readonly network: string } & Details) =>
      writeNow({ type: 'session-ended', whitelabelId: person.whitelabel_id, personId: person.id, network, details }),

    /** A person was linked to an identity provider. */
    signOnLinked: (person: InWhiteLabel, network: string, provider: string) =>
      writeNow({
        type: 'sign-on-linked',
        whitelabelId: person.whitelabel_id,
        personId: person.id,
        network,
        details: { provider },
      }),

    /** The counter of a passkey did not grow: two devices sign with it. */
    passkeyCopied: (person: InWhiteLabel, network: string, passkey: string) =>
      writeNow({
        type: 'passkey-copied',
        whitelabelId: person.whitelabel_id,
        personId: person.id,
        network,
        details: { passkey },
      }),

    /** Counts a call that was answered with 401, 403 or 429; `hostLabel` is the white-label of its host. */
    refused(
      identity: Identity,
      hostLabel: string,
      network: string,
      call: { readonly route: string; readonly status: number },
    ): void {
      const personId = personIn(identity)?.userId ?? null
      const whitelabelId = whitelabelOf(identity, hostLabel)
      countIn({ type: 'refused', whitelabelId, personId, network, details: { ...call, ...credentialIn(identity) } })
    },

    /**
     * Events after an id, in order, or before one, newest first; of one white-label, or of all for null; without those of system
     * administrators where asked.
     */
    async read(
      from: { readonly after: bigint } | { readonly before: bigint | null },
      limit: number,
      { whitelabelId, withoutAdministrators }: { readonly whitelabelId: string | null; readonly withoutAdministrators: boolean },
    ): Promise<readonly SecurityEvent[]> {
      return shownEvents(db)
        .$if('after' in from, (found) => found.where('e.id', '>', 'after' in from ? from.after : 0n))
        .$if('before' in from && from.before !== null, (found) =>
          found.where('e.id', '<', 'before' in from && from.before !== null ? from.before : 0n),
        )
        .$if(whitelabelId !== null, (found) => found.where('e.whitelabel_id', '=', whitelabelId))
        .$if(withoutAdministrators, (found) =>
          found.where(
            sql<boolean>`not exists (
              select from identity.people p where p.id = e.person_id and 'SYSTEM_ADMIN' = any(p.roles))`,
          ),
        )
        .orderBy('e.id', 'after' in from ? 'asc' : 'desc')
        .limit(limit)
        .execute()
    },

    /** The newest events of a person. */
    async ofPerson(
      personId: string,
      limit: number,
    ): Promise<readonly Omit<SecurityEvent, 'id' | 'whitelabel_id' | 'person_id'>[]> {
      return db
        .selectFrom('app.security_events')
        .select((eb) => [isoText(eb.ref('at')).as('at'), 'type', 'client_network', 'details', 'count'])
        .where('person_id', '=', personId)
        .where('type', '<>', 'refused')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
    },

    /** Writes the pending counts, and stops. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await writing
      await flush(true).catch(deps.onError)
    },
  }
}
export type SecurityLog = ReturnType<typeof createSecurityLog>
