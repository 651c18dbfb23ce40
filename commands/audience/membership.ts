import { hashedVisitor } from '#domain/audience/identifiers'
import { dependsOnTime } from '#domain/audience/visitor-rules'
import type { RuleGroup } from '#domain/campaign/content/content'
import type { Failing, Sweep } from '../sweep.ts'
import type { AudienceStores } from './audience-port.ts'
import type { Finishing } from './finish-upload.ts'
import { createHashes } from './hashes.ts'
import { createIdentifierHash } from './identifier-hash.ts'
import { uniqueMembers } from './members.ts'

/** Pauses between two computations of a version, seconds. */
const AFTER_EVENTS = 3
const BY_TIME = 30
/** Events are removed after months, and erasures take members out. */
const AT_LATEST = 3600
/** A computation takes at most this part of the time. */
const SHARE = 10

const SCAN_MS = 1000

/** A version of a dynamic audience, with what decides whether its members must be determined again. */
export type DueVersion = {
  readonly audience_id: string
  readonly version: number
  readonly space_id: string
  readonly whitelabel_id: string
  readonly rules: RuleGroup
  readonly is_new: boolean
  /** Whether the version is the newest one. */
  readonly newest: boolean
  readonly has_events: boolean
  /** Seconds since its members were determined. */
  readonly age: number
}

export type MembershipDeps = {
  readonly audiences: AudienceStores
  readonly finishing: Pick<Finishing, 'record'>
  readonly failing: Failing
  readonly versions: () => Promise<readonly DueVersion[]>
  /** Every version that a campaign of these accounts uses. */
  readonly pinned: (spaceIds: readonly string[]) => Promise<readonly { readonly audience_id: string; readonly version: number }[]>
  /** Whether an error comes from the version itself and not from its surroundings. */
  readonly isOwnFault: (error: unknown) => boolean
  readonly now: () => string
  readonly stops: { readonly add: (stop: () => Promise<void>) => void }
  readonly logger: { readonly error: (fields: object, message: string) => void }
}

const NAME = 'audience-members'

/**
 * Keeps the members of dynamic audiences up to date: after events within seconds, and by time twice a minute. One version after the other,
 * beside the other policies, because many visitors take long.
 */
export function membershipSweep(deps: MembershipDeps): Sweep {
  const { audiences, failing, finishing, logger, now, stops } = deps
  const durations = new Map<string, number>()
  let working: Promise<void> | null = null
  let stopped = false
  let scanned = 0
  stops.add(async () => {
    stopped = true
    await working
  })

  const keyOf = ({ audience_id: id, version }: Pick<DueVersion, 'audience_id' | 'version'>) => `${id} ${version}`

  function isDue(version: DueVersion): boolean {
    if (version.is_new) return true
    const spent = (durations.get(keyOf(version)) ?? 0) * SHARE
    if (version.age < Math.max(AFTER_EVENTS, spent)) return false
    return version.has_events || version.age > AT_LATEST || (version.age > BY_TIME && dependsOnTime(version.rules))
  }

  async function compute(version: DueVersion): Promise<void> {
    const began = performance.now()
    const { audience_id: audienceId, space_id: spaceId, whitelabel_id: whitelabelId, rules } = version
    const seenUntil = await audiences.sets.seenUntil()
    const hashOf = createIdentifierHash(await audiences.keys.keyOf(whitelabelId))
    const hashes = createHashes()
    await audiences.visitors.each({ spaceId, rules, now: now(), most: null }, (visitor) =>
      hashes.add(hashOf(hashedVisitor(visitor))),
    )
    const { count, members } = uniqueMembers(hashes.take())
    const of = { audienceId, version: version.version, spaceId, whitelabelId, rules }
    await audiences.sets.replace(of, members, { now: now(), seenUntil })
    durations.set(keyOf(version), (performance.now() - began) / 1000)
    if (!version.is_new) return
    const counts = { rows: count, accepted: count, rejected: 0, duplicates: 0, reasons: {} }
    await finishing.record({ id: audienceId, version: version.version, counts, causation: null })
  }

  async function round(): Promise<void> {
    const due = (await deps.versions()).filter(isDue)
    const older = due.filter(({ newest }) => !newest)
    const pinned = new Set(older.length === 0 ? [] : (await deps.pinned(older.map(({ space_id: id }) => id))).map(keyOf))
    const [failed, waiting] = [await failing.keys(NAME), await failing.waiting(NAME)]
    for (const version of due) {
      const key = keyOf(version)
      if (stopped) return
      if (waiting.includes(key) || !(version.newest || pinned.has(key))) continue
      try {
        await compute(version)
        if (failed.includes(key)) await failing.succeeded(NAME, [key])
      } catch (error) {
        if (!deps.isOwnFault(error)) throw error
        logger.error({ err: error, audience: version.audience_id }, 'members of an audience were not determined')
        await failing.failed(NAME, key, error)
      }
    }
  }

  return {
    name: NAME,
    scan: async () => {
      if (working !== null || stopped || Date.now() - scanned < SCAN_MS) return []
      scanned = Date.now()
      working = round()
        .catch((error: unknown) =>
          logger.error({ err: error }, 'members of audiences were not determined and are in the next round'),
        )
        .finally(() => {
          working = null
        })
      return []
    },
  }
}
