import { concat, sha256, toHex, utf8, type Bytes } from './bytes.ts'
import type { ExportedEvent } from './export-format.ts'

const GENESIS = '0'.repeat(64)
const SEAL = /,"hash":"([0-9a-f]{64})"\}$/

/** The hash of an event from its stored bytes, the hash that it carries, and that of the event before it in its stream. */
export type EventHashes = { readonly computed: Bytes; readonly carried: string | null; readonly previous: string }

/** Computes the hash of an event (fine print 23): SHA-256 over parts that their lengths in bytes precede. */
export async function hashesOf(event: ExportedEvent): Promise<EventHashes> {
  const { metadata, stream, version, event_id, type, schema_version, data } = event
  const seal = SEAL.exec(metadata)
  const unsealed = seal === null ? metadata : `${metadata.slice(0, seal.index)}}`
  const [, previous = GENESIS] = /"previous_hash":"([0-9a-f]{64})"/.exec(unsealed) ?? []
  const parts = [previous, stream, String(version), event_id, type, String(schema_version), data, unsealed].map(utf8)
  const computed = await sha256(concat(...parts.flatMap((part) => [utf8(`${part.length}:`), part])))
  return { computed, carried: seal?.[1] ?? null, previous }
}

/** Whether two hashes are the same, one of them in hex. */
export const isHash = (computed: Bytes, hex: string): boolean => toHex(computed) === hex
export const isFirst = (previous: string): boolean => previous === GENESIS
