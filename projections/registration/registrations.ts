import { sql, type Kysely } from 'kysely'
import { readMetadata } from '#domain/kit/event-metadata'
import {
  decodeRegistrationEvent,
  REGISTRATION_STREAMS,
  type RegistrationEvent,
  type RegistrationStatus,
} from '#domain/registration/registration'
import type { StoredEvent } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import { column, table, upsertRows, type PhysicalSet } from '../projector/table.ts'

/** The state of each registration, without personal data: names and addresses are joined from the person's record. */
export const REGISTRATIONS = {
  registrations: table(
    {
      person_id: column.id(),
      whitelabel_id: column.id(),
      currency: column.text(),
      status: column.text<RegistrationStatus>(),
      submitted_at: column.id(),
      version: column.int,
    },
    {
      key: ['person_id'],
      indexes: ["(submitted_at, person_id) where status = 'submitted'", "(person_id) where status = 'approved'"],
    },
  ),
}
type Tables = PhysicalSet<typeof REGISTRATIONS>

export const isOfRegistration = ({ stream }: Pick<StoredEvent, 'stream'>): boolean => stream.startsWith(REGISTRATION_STREAMS)

export async function applyRegistrations(
  db: Kysely<Db>,
  { registrations }: Tables,
  events: readonly StoredEvent[],
): Promise<void> {
  for (const stored of events.filter(isOfRegistration)) {
    const event = decodeRegistrationEvent(stored)
    const personId = stored.stream.slice(REGISTRATION_STREAMS.length)
    if (event.type === 'RegistrationSubmitted') {
      const { whitelabel_id, currency } = event.data
      const { at } = readMetadata(stored.metadata)
      await upsertRows(db, registrations, [
        { person_id: personId, whitelabel_id, currency, status: 'submitted', submitted_at: at, version: stored.version },
      ])
      continue
    }
    // The version guard ignores an event that was applied before.
    await sql`
      update ${registrations} set status = coalesce(${STATUS[event.type]}, status), version = ${stored.version}
      where person_id = ${personId} and version < ${stored.version}`.execute(db)
  }
}

/** Null where the status stays. */
const STATUS: Readonly<Record<Exclude<RegistrationEvent['type'], 'RegistrationSubmitted'>, RegistrationStatus | null>> = {
  RegistrationApproved: 'approved',
  RegistrationRejected: 'rejected',
  ConfirmationRequested: null,
  RegistrationCompleted: 'completed',
}
