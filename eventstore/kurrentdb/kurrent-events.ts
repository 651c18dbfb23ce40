import { hash } from 'node:crypto'
import type { NewEvent, Position, StoredEvent } from '../event-store.ts'
import type { Proposed, Recorded } from './kurrent-client.ts'

/** Metadata keys of the adapter: last, so that the text before them is ours. */
const SCHEMA = '$schema_version'
const ID = '$event_id'
/** Namespace of the ids in KurrentDB. Never changes: an append in doubt is recognised by them. */
const NAMESPACE = Buffer.from('c2f0a9d458b15e3c8f477a1d6e90b352', 'hex')

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
  return { id: idOf(event), type, data, metadata: { ...metadata, [SCHEMA]: schemaVersion, [ID]: event.id } }
}

/**
 * The UUIDv5 of everything that is stored. The package uuid makes a hash object for each, which costs more than all the rest of the
 * adapter.
 */
export function idOf({ id, type, schemaVersion, data, metadata }: NewEvent): string {
  // No part contains the separator: control characters are escaped in JSON, and types hold no NUL.
  const name = Buffer.from([id, type, schemaVersion, data, metadata].join('\0'))
  const hex = hash('sha1', Buffer.concat([NAMESPACE, name]))
  const variant = (Number.parseInt(hex.charAt(16), 16) & 0b0011) | 0b1000
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `${variant.toString(16)}${hex.slice(17, 20)}`]
  return [...groups, hex.slice(20, 32)].join('-')
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
