import { v5 } from 'uuid'
import type { NewEvent, Position, StoredEvent } from '../event-store.ts'
import type { Proposed, Recorded } from './kurrent-client.ts'

/** Metadata keys of the adapter: last, so that the text before them is ours. */
const SCHEMA = '$schema_version'
const ID = '$event_id'
/** Namespace of the ids in KurrentDB. Never changes: an append in doubt is recognised by them. */
const NAMESPACE = 'c2f0a9d4-58b1-5e3c-8f47-7a1d6e90b352'

/**
 * The client exchanges parsed JSON and never the bytes, so only text that survives parsing and printing is accepted: the hash
 * chain runs over it (fine print 23). Everything from JSON.stringify is such text.
 *
 * KurrentDB takes equal ids for equal events, whatever their bytes. Its id is therefore derived from ours and from the bytes, so
 * that its success means that exactly these bytes are stored; ours is in the metadata.
 */
export function proposedOf(event: NewEvent): Proposed {
  const { type, schemaVersion } = event
  const data: unknown = JSON.parse(event.data)
  const metadata: unknown = JSON.parse(event.metadata)
  if (JSON.stringify(data) !== event.data) throw new Error(`data of ${type} is not as JSON.stringify prints it`)
  if (JSON.stringify(metadata) !== event.metadata) throw new Error(`metadata of ${type} is not as JSON.stringify prints it`)
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata) || SCHEMA in metadata || ID in metadata)
    throw new Error(`metadata of ${type} is not an object, or has a key ${SCHEMA} or ${ID}`)
  // No part contains the separator: control characters are escaped in JSON, and types hold none.
  const bytes = Buffer.from([event.id, type, schemaVersion, event.data, event.metadata].join('\0'))
  return { id: v5(bytes, NAMESPACE), type, data, metadata: { ...metadata, [SCHEMA]: schemaVersion, [ID]: event.id } }
}

/** Events from before ids were derived have ours as their own. */
export function storedOf({ stream, revision, commit, id, type, data, metadata }: Recorded): StoredEvent {
  const {
    [SCHEMA]: schema,
    [ID]: ours,
    ...own
  } = (typeof metadata === 'object' && metadata !== null ? metadata : {}) as Record<string, unknown>
  return {
    id: typeof ours === 'string' ? ours : id,
    type,
    schemaVersion: typeof schema === 'number' ? schema : 1,
    data: JSON.stringify(data),
    metadata: JSON.stringify(own),
    stream,
    version: Number(revision) + 1,
    position: positionOf(commit),
  }
}

/** One more than the commit position: 0 stays free for "before everything", and the first event of a log lies at 0 there. */
export const positionOf = (commit: bigint): Position => commit + 1n
export const commitOf = (position: Position): bigint | null => (position === 0n ? null : position - 1n)

export const isSystem = ({ type, stream }: Pick<Recorded, 'type' | 'stream'>): boolean =>
  type.startsWith('$') || stream.startsWith('$')
