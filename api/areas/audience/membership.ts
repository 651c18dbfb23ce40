import type { Failing, Sweep } from '#commands/sweep'
import { isOfEvent } from '#projections/projector/event-fault'
import type { Bucketed } from '#commands/audience/audience-port'
import { dependsOnTime } from '#domain/audience/visitor-rules'
import { hashedVisitor } from '#domain/audience/identifiers'
import type { RuleGroup } from '#domain/campaign/content/content'
import { dynamicVersions, type DueVersion } from '#projections/audience/queries'
import { pinsOf } from './served-audiences.ts'
import type { Needs, Own } from '#api/areas/services'
import type { Finishing } from '#commands/audience/finish-upload'
import { createHashes } from '#commands/audience/hashes'
import { createIdentifierHash } from '#commands/audience/identifier-hash'
import { uniqueMembers } from '#commands/audience/members'

/** Pauses between two computations of a version, seconds. */
const AFTER_EVENTS = 3
const BY_TIME = 30
/** Events are removed after months, and erasures take members out. */
const AT_LATEST = 3600
/** A computation takes at most this part of the time. */
const SHARE = 10

const SCAN_MS = 1000

/** Visitors that match rules now, as hashes by bucket, each once. */
export async function membersOf(
  { audiences, now }: Needs<'audiences' | 'now'>,
  { spaceId, whitelabelId, rules }: { readonly spaceId: string; readonly whitelabelId: string; readonly rules: RuleGroup },
): Promise<{ readonly visitors: number; readonly members: readonly Bucketed[]; readonly count: number }> {
  const hashOf = createIdentifierHash(await audiences.keys.keyOf(whitelabelId))
  const hashes = createHashes()
  const asked = { spaceId, rules, now: now(), most: null }
  const visitors = await audiences.visitors.each(asked, (visitor) => hashes.add(hashOf(hashedVisitor(visitor))))
  return { visitors, ...uniqueMembers(hashes.take()) }
}

const NAME = 'audience-members'

/**
 * Keeps the members of dynamic audiences up to date: after events within seconds, and by time twice a minute. One version after the other,
 * beside the other policies, because many visitors take long.
 */
export function membershipSweep(kit: Own<'audiences' | 'db'>, finishing: Pick<Finishing, 'record'>, failing: Failing): Sweep {
  const { audiences, db, logger, now, stops } = kit
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
    const { count, members } = await membersOf(kit, { spaceId, whitelabelId, rules })
    const of = { audienceId, version: version.version, spaceId, whitelabelId, rules }
    await audiences.sets.replace(of, members, { now: now(), seenUntil })
    durations.set(keyOf(version), (performance.now() - began) / 1000)
    if (!version.is_new) return
    const counts = { rows: count, accepted: count, rejected: 0, duplicates: 0, reasons: {} }
    await finishing.record({ id: audienceId, version: version.version, counts, causation: null })
  }

  async function round(): Promise<void> {
    const due = (await dynamicVersions(db)).filter(isDue)
    const older = due.filter(({ newest }) => !newest)
    const pinned = new Set(
      older.length === 0
        ? []
        : (
            await pinsOf(
              kit,
              older.map(({ space_id: id }) => id),
            )
          ).map(keyOf),
    )
    const [failed, waiting] = [await failing.keys(NAME), await failing.waiting(NAME)]
    for (const version of due) {
      const key = keyOf(version)
      if (stopped) return
      if (waiting.includes(key) || !(version.newest || pinned.has(key))) continue
      try {
        await compute(version)
        if (failed.includes(key)) await failing.succeeded(NAME, [key])
      } catch (error) {
        if (!isOfEvent(error)) throw error
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
