import { isFact, recordedOf, type AnyEvent, type Recorded } from '#domain/audit/event-changes'
import { subjectOf } from '#domain/audit/event-kinds'
import { isPlaced, NOWHERE, placeByName, placeIn, placingStream, type SubjectPlace } from '#domain/audit/event-place'
import { decodeEvent } from '#domain/every-event'
import { readMetadata, type Metadata } from '#domain/kit/event-metadata'
import { isFromNewerBuild } from '#domain/kit/event-schema'
import type { JsonObject } from '#domain/kit/json-changes'
import type { StoredEvent } from '#eventstore/event-store'
import type { LogRow, Subject } from './tables.ts'

export const isListed = ({ stream }: Pick<StoredEvent, 'stream'>): boolean => subjectOf(stream) !== null

/** The stream of the subject that a row needs. */
export const neededBy = ({ stream }: Pick<StoredEvent, 'stream'>): string => placingStream(stream)

/** The row of an event, and its subject after it; null where the event says nothing that later rows need. */
export function listed(
  stored: StoredEvent,
  known: (stream: string) => Subject | undefined,
): { readonly row: LogRow; readonly subject: Subject | null } {
  const { stream, version, position, type } = stored
  const before = known(placingStream(stream))
  const event = isFact(type) && !isPlaced(type) ? null : decoded(stored)
  const { fields, was, values } = event === null ? NOTHING : recorded(event, before?.set_values ?? {})
  const place = event !== null && isPlaced(type) ? placeIn(event) : (placeByName(stream) ?? placeOf(before))
  const { at, actor, role, on_behalf_of, source, revision } = metadataOf(stored)
  const { kind, id } = subjectOf(stream) ?? { kind: '', id: stream }
  const row: LogRow = {
    position,
    version,
    revision,
    whitelabel_id: place.whitelabelId,
    space_id: place.spaceId,
    kind,
    subject_id: id,
    type,
    actor,
    role,
    on_behalf_of,
    source,
    at,
    fields,
    was,
  }
  const isKnown = values === null && !isPlaced(type)
  if (isKnown) return { row, subject: null }
  const subject = {
    whitelabel_id: place.whitelabelId,
    space_id: place.spaceId,
    set_values: values ?? before?.set_values ?? null,
    version,
  }
  return { row, subject }
}

const placeOf = (subject: Subject | undefined): SubjectPlace =>
  subject === undefined ? NOWHERE : { whitelabelId: subject.whitelabel_id, spaceId: subject.space_id }

const NOTHING: Recorded = { fields: null, was: null, values: null }

/**
 * Null for an event whose bytes cannot be read: it has a row all the same, since a feed with a gap would mislead. An event of a newer
 * build is not guessed at.
 */
function decoded(stored: StoredEvent): AnyEvent | null {
  return unlessUnreadable(() => decodeEvent(stored) as unknown as AnyEvent, null)
}

const recorded = (event: AnyEvent, values: JsonObject): Recorded => unlessUnreadable(() => recordedOf(event, values), NOTHING)

const NO_METADATA: Pick<Metadata, 'at' | 'actor' | 'role' | 'on_behalf_of' | 'revision'> & { readonly source: string } = {
  at: '',
  actor: '',
  role: '',
  on_behalf_of: null,
  source: '',
  revision: 0,
}

function metadataOf({ metadata }: StoredEvent): typeof NO_METADATA {
  const read = unlessUnreadable<Partial<Metadata>>(() => readMetadata(metadata), {})
  const { at = '', actor = '', role = '', on_behalf_of = null, source = '', revision = 0 } = read
  return { at, actor, role, on_behalf_of, source, revision }
}

function unlessUnreadable<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch (error) {
    if (isFromNewerBuild(error)) throw error
    return otherwise
  }
}
