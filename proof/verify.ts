import type { StoredEvent } from '#eventstore/event-store'
import { GENESIS, hashOf, unsealed } from './hash-chain.ts'
import { readMetadata } from '#domain/kit/event-metadata'

/** Result of verifying a stream's hash chain; without faults, nothing was altered, removed or reordered. */
export type Verified = { readonly head: string; readonly faults: readonly string[] }

/** Recomputes every hash of a stream from the stored bytes (fine print 23). */
export function verifyStream(stream: string, events: readonly StoredEvent[]): Verified {
  const faults: string[] = []
  let previous = GENESIS
  let version = 0
  for (const stored of events) {
    version += 1
    if (stored.version !== version) {
      faults.push(`version ${version} is missing`)
      version = stored.version
    }
    const sealedMetadata = unsealed(stored.metadata)
    if (sealedMetadata === null) {
      faults.push(`version ${stored.version} carries no hash`)
      continue
    }
    if (readMetadata(stored.metadata).previous_hash !== previous)
      faults.push(`version ${stored.version} does not follow the event before it`)
    const { id, type, schemaVersion, data } = stored
    const hash = hashOf(previous, { stream, version: stored.version, id, type, schemaVersion, data }, sealedMetadata.text)
    if (hash !== sealedMetadata.hash) faults.push(`version ${stored.version} is not what was written`)
    previous = sealedMetadata.hash
  }
  return { head: previous, faults }
}
