/**
 * Events are stored under a type and a schema version, permanently. When the data of a type changes its shape, its version is
 * raised by one and an upcaster converts the older data; a field that older events can lack is optional or gets
 * its default there. Readers see only the newest shape.
 */

export type EventData = { readonly [key: string]: unknown }
/** Converts data of one schema version to the next. Pure, and total over all stored data of that version. */
export type Upcaster = (data: EventData) => EventData

/** `version` is the written one; `upcasters[n]` converts version n to n + 1, for every n below it. */
export type EventSchema = { readonly version: number; readonly upcasters: { readonly [from: number]: Upcaster } }

/** A type whose data never changed its shape. */
export const FIRST: EventSchema = { version: 1, upcasters: {} }

/** The schema of every type of a union: a type without a schema does not compile. */
export type EventSchemas<E extends { readonly type: string }> = { readonly [T in E['type']]: EventSchema }

/** An event as stored; stream, version and position identify it when it cannot be read. */
export type StoredForm = {
  readonly type: string
  readonly schemaVersion: number
  /** JSON text. */
  readonly data: string
  readonly stream: string
  readonly version: number
  readonly position: bigint
}

/**
 * Makes the decoder of a union, from stored bytes to the event in its newest shape. The decoder throws an `UndecodableEvent` for
 * a type outside the union and for a version newer than this build, because newer data must not be guessed at. This function
 * throws when the upcasters of a type have a gap.
 */
export function eventDecoder<E extends { readonly type: string }>(schemas: EventSchemas<E>): (stored: StoredForm) => E {
  const known = new Map(Object.entries<EventSchema>(schemas).map(([type, schema]) => [type, { type, ...schema }]))
  for (const { type, version, upcasters } of known.values())
    for (let from = 1; from < version; from++)
      if (upcasters[from] === undefined) throw new Error(`${type}: no upcaster leads from version ${from} to ${from + 1}`)

  return function decodeEvent(stored) {
    const schema = known.get(stored.type)
    if (schema === undefined) throw undecodable(stored, 'this build does not know the type')
    // Uses this build's own string for the type, not the parsed one: comparing it with the known types then compares addresses.
    const { type } = schema
    // Nearly every event has the newest version: it costs only this look-up and the parser.
    if (schema.version === stored.schemaVersion) return { type, data: JSON.parse(stored.data) } as unknown as E
    return { type, data: raised(schema, stored) } as unknown as E
  }
}

function raised({ version, upcasters }: EventSchema, stored: StoredForm): EventData {
  if (stored.schemaVersion > version) throw undecodable(stored, `this build knows versions up to ${version}`)
  let data: EventData = JSON.parse(stored.data)
  for (let from = stored.schemaVersion; from < version; from++) {
    const upcaster = upcasters[from]
    if (upcaster === undefined) throw undecodable(stored, `no upcaster leads from version ${from} to ${from + 1}`)
    data = upcaster(data)
  }
  return data
}

/** True for an event of a newer build: this build must wait for its upgrade, and not treat the event as corrupt. */
export const isFromNewerBuild = (error: unknown): boolean => error instanceof Error && error.name === 'UndecodableEvent'

/** An error that names the event: type, schema version, stream, version and position. */
function undecodable({ type, schemaVersion, stream, version, position }: StoredForm, why: string): Error {
  const error = new Error(
    `cannot read ${type}, schema version ${schemaVersion}, at position ${position} (version ${version} of ${stream}): ${why}`,
  )
  error.name = 'UndecodableEvent'
  return error
}
