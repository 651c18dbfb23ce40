import type { NewEvent } from './event-store.ts'

/**
 * Largest append, bytes, the same for every log. KurrentDB refuses more than 1,048,576 (its MaxAppendSize): it counts data, metadata
 * and types, these with two bytes a character. The rest, 48,576, is for what other versions may count, such as ids.
 */
export const MAX_APPEND_BYTES = 1_000_000
/** Bytes that the adapter adds to metadata: `,"$schema_version":32767` and `,"$event_id":"…"` with 36 characters. */
const ADDED_BYTES = 24 + 52

/** An append that is larger than any log may have to keep. Nothing was stored. */
export class AppendTooLarge extends Error {
  constructor(stream: string, bytes: number) {
    super(`an append of ${bytes} bytes to ${stream} exceeds ${MAX_APPEND_BYTES}`)
    this.name = 'AppendTooLarge'
  }
}

/** @throws {AppendTooLarge} */
export function checkAppendSize(stream: string, events: readonly NewEvent[]): void {
  const bytes = events.reduce((sum, event) => sum + sizeOf(event), 0)
  if (bytes > MAX_APPEND_BYTES) throw new AppendTooLarge(stream, bytes)
}

const sizeOf = ({ type, data, metadata }: NewEvent): number =>
  Buffer.byteLength(data) + Buffer.byteLength(metadata) + 2 * type.length + ADDED_BYTES
