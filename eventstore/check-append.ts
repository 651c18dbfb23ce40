import { checkAppendSize } from './append-size.ts'
import type { Append, NewEvent } from './event-store.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const OUTER_SPACE = /^[ \t\r\n]|[ \t\r\n]$/
const LONE_SURROGATE = /\p{Surrogate}/u
const NUL = '\0'

/**
 * Throws a TypeError for an append that no store could keep byte for byte, and AppendTooLarge. Checked before anything is queued: a store commits
 * the appends of many callers together, and one that breaks the statement would hold up the others.
 */
export function checkAppend({ stream, expected, events }: Append): void {
  if (stream === '' || stream.includes(NUL)) throw new TypeError('an append needs a stream name')
  if (!Number.isInteger(expected) || expected < 0) throw new TypeError(`expected version ${expected} is not a version`)
  if (events.length === 0) throw new TypeError(`an append to ${stream} needs at least one event`)
  for (const event of events) checkEvent(event)
  checkAppendSize(stream, events)
}

function checkEvent({ id, type, schemaVersion, data, metadata }: NewEvent): void {
  if (!UUID.test(id)) throw new TypeError(`event id ${id} is not a lower-case UUID`)
  if (type === '' || type.includes(NUL)) throw new TypeError(`event ${id} needs a type`)
  if (!Number.isInteger(schemaVersion) || schemaVersion < 1 || schemaVersion > 32_767) {
    throw new TypeError(`schema version ${schemaVersion} of event ${id} is not valid`)
  }
  checkJson(id, 'data', data)
  checkJson(id, 'metadata', metadata)
}

function checkJson(id: string, field: string, text: string): void {
  if (OUTER_SPACE.test(text)) throw new TypeError(`${field} of event ${id} starts or ends with whitespace, which is not stored`)
  if (LONE_SURROGATE.test(text))
    throw new TypeError(`${field} of event ${id} contains half a surrogate pair, which UTF-8 cannot encode`)
  try {
    JSON.parse(text)
  } catch (cause) {
    throw new TypeError(`${field} of event ${id} is not JSON`, { cause })
  }
}
