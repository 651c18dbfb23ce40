import type { NewEvent, Position, StoredEvent } from '../event-store.ts'
import type { Proposed, Recorded } from './kurrent-client.ts'

/** Metadata key of the schema version: last, so that the text before it is ours. */
const SCHEMA = '$schema_version'

/**
 * The client exchanges parsed JSON and never the bytes, so only text that survives parsing and printing is accepted: the hash
 * chain runs over it (fine print 23). Everything from JSON.stringify is such text.
 */
export function proposedOf(event: NewEvent): Proposed {
  const data: unknown = JSON.parse(event.data)
  const metadata: unknown = JSON.parse(event.metadata)
  if (JSON.stringify(data) !== event.data) throw new Error(`data of ${event.type} is not as JSON.stringify prints it`)
  if (JSON.stringify(metadata) !== event.metadata) throw new Error(`metadata of ${event.type} is not as JSON.stringify prints it`)
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata) || SCHEMA in metadata)
    throw new Error(`metadata of ${event.type} is not an object, or has a key ${SCHEMA}`)
  return { id: event.id, type: event.type, data, metadata: { ...metadata, [SCHEMA]: event.schemaVersion } }
}

export function storedOf({ stream, revision, commit, id, type, data, metadata }: Recorded): StoredEvent {
  const { [SCHEMA]: schema, ...own } = (typeof metadata === 'object' && metadata !== null ? metadata : {}) as Record<
    string,
    unknown
  >
  return {
    id,
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
