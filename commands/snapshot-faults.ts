import { isDeepStrictEqual } from 'node:util'
import type { StoredEvent } from '#eventstore/event-store'
import { readMetadata } from '#domain/kit/event-metadata'
import { account } from './account/account-commands.ts'
import { ledger } from './account/ledger-commands.ts'
import { campaign } from './campaign/campaign-commands.ts'
import { shapeOf } from './handle.ts'
import type { Snapshots } from './snapshots.ts'

/** The deciders with snapshots. */
export const SNAPSHOT_DECIDERS = [account, campaign, ledger]

/** What the snapshot of a stream has that its events have not; empty for a stream without one. */
export async function faultsOfSnapshot(
  snapshots: Snapshots,
  stream: string,
  events: readonly StoredEvent[],
): Promise<readonly string[]> {
  for (const { fold, snapshot } of SNAPSHOT_DECIDERS) {
    if (snapshot === undefined || !stream.startsWith(`${snapshot.name}-`)) continue
    const found = await snapshots.find(stream, shapeOf(snapshot))
    if (found === null) continue
    const last = events[found.version - 1]
    if (last === undefined || readMetadata(last.metadata).hash !== found.hash)
      return [`the snapshot at version ${found.version} is of another log`]
    // As the database keeps it.
    const folded: unknown = JSON.parse(JSON.stringify(fold(events.slice(0, found.version))))
    if (!isDeepStrictEqual(folded, found.state)) return [`the snapshot at version ${found.version} is not what its events say`]
  }
  return []
}
