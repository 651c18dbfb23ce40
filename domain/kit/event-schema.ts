/**
 * Events are stored under a type and a schema version and read for ever. When the data of a type changes its shape, its version is
 * raised by one and an upcaster says how the data before looks now; a field that older events can do without is optional or gets
 * its default there. Readers only ever see the newest shape.
 */

export type EventData = { readonly [key: string]: unknown }
/** Data of one schema version made into data of the next. Pure, and total over what that version stored. */
export type Upcaster = (data: EventData) => EventData

/** `version` is what is written today; `upcasters[n]` leads from version n to n + 1, for every n below it. */
export type EventSchema = { readonly version: number; readonly upcasters: { readonly [from: number]: Upcaster } }

/** A type whose data never changed its shape. */
export const FIRST: EventSchema = { version: 1, upcasters: {} }

/** The schema of every type of a union: a type that is added without one does not compile. */
export type EventSchemas<E extends { readonly type: string }> = { readonly [T in E['type']]: EventSchema }

/** An event as the log has it; stream, version and position are for whoever must find it when it cannot be read. */
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
 * Makes the decoder of a union: stored bytes in, the event that they mean today out. The decoder throws an `UndecodableEvent` for a
 * type outside the union and for a version newer than this build, for what a newer build wrote must not be guessed at. Throws
 * itself when the upcasters of a type have a gap.
 */
export function eventDecoder<E extends { readonly type: string }>(schemas: EventSchemas<E>): (stored: StoredForm) => E {
  const known = new Map(Object.entries<EventSchema>(schemas).map(([type, schema]) => [type, { type, ...schema }]))
  for (const { type, version, upcasters } of known.values())
    for (let from = 1; from < version; from++)
      if (upcasters[from] === undefined) throw new Error(`${type}: nothing leads from version ${from} to ${from + 1}`)

  return function decodeEvent(stored) {
    const schema = known.get(stored.type)
    if (schema === undefined) throw undecodable(stored, 'this build does not know the type')
    // The name is the program's own and not the one that was read: whoever asks which of twenty types it is compares addresses then.
    const { type } = schema
    // Nearly every event ever read has the newest version: it costs this look-up and the parser, nothing else.
    if (schema.version === stored.schemaVersion) return { type, data: JSON.parse(stored.data) } as unknown as E
    return { type, data: raised(schema, stored) } as unknown as E
  }
}

function raised({ version, upcasters }: EventSchema, stored: StoredForm): EventData {
  if (stored.schemaVersion > version) throw undecodable(stored, `this build knows versions up to ${version}`)
  let data: EventData = JSON.parse(stored.data)
  for (let from = stored.schemaVersion; from < version; from++) {
    const upcaster = upcasters[from]
    if (upcaster === undefined) throw undecodable(stored, `nothing leads from version ${from} to ${from + 1}`)
    data = upcaster(data)
  }
  return data
}

/** True for an event that a newer build wrote: this one must wait for its own upgrade, and never take the event for a broken one. */
export const isFromNewerBuild = (error: unknown): boolean => error instanceof Error && error.name === 'UndecodableEvent'

/** An error with a name and an address: type, schema version, stream, version and position. */
function undecodable({ type, schemaVersion, stream, version, position }: StoredForm, why: string): Error {
  const error = new Error(
    `cannot read ${type}, schema version ${schemaVersion}, at position ${position} (version ${version} of ${stream}): ${why}`,
  )
  error.name = 'UndecodableEvent'
  return error
}
