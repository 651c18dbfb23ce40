import type { StoredEvent } from '#eventstore/event-store'
import { GENESIS, hashOf, unsealed } from './hash-chain.ts'

/**
 * The hash of an event from what is stored of it, which is the one in its metadata as long as nothing was altered. Computed, not read:
 * altered content with the old hash beside it must change the result. Of an event without a hash it covers all of the metadata.
 */
export function eventHash({ stream, version, id, type, schemaVersion, data, metadata }: StoredEvent): string {
  const text = unsealed(metadata)?.text ?? metadata
  return hashOf(previousHashOf(text) ?? GENESIS, { stream, version, id, type, schemaVersion, data }, text)
}

/** The hash of the event before it in its stream, from stored metadata; null without one. */
export const previousHashOf = (metadata: string): string | null => /"previous_hash":"([0-9a-f]{64})"/.exec(metadata)?.[1] ?? null
