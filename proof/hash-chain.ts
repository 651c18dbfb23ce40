import { createHash } from 'node:crypto'

/** Hash input of an event: everything that is stored of it, in a fixed order (fine print 23). */
export type Hashed = {
  readonly stream: string
  readonly version: number
  readonly id: string
  readonly type: string
  readonly schemaVersion: number
  readonly data: string
}

/** Hash of the event before the first one of a stream. */
export const GENESIS = '0'.repeat(64)

/** SHA-256 in hex over length-prefixed parts, so that no two different events share an encoding. */
export function hashOf(previous: string, event: Hashed, metadataWithoutHash: string): string {
  const { stream, version, id, type, schemaVersion, data } = event
  let text = ''
  for (const part of [previous, stream, String(version), id, type, String(schemaVersion), data, metadataWithoutHash])
    text += `${Buffer.byteLength(part)}:${part}`
  // In one piece: a call into the hash costs more than its bytes.
  return createHash('sha256').update(text).digest('hex')
}

/** Metadata text with its hash as the last key: removing that key restores the text that was hashed. */
export const sealed = (metadataWithoutHash: string, hash: string): string =>
  `${metadataWithoutHash.slice(0, -1)},"hash":"${hash}"}`

/** The hashed text and the hash, from stored metadata; null without a hash. */
export function unsealed(metadata: string): { readonly text: string; readonly hash: string } | null {
  const found = /,"hash":"([0-9a-f]{64})"\}$/.exec(metadata)
  return found?.[1] === undefined ? null : { text: `${metadata.slice(0, found.index)}}`, hash: found[1] }
}
