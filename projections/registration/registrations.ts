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

/** The state of each registration, without personal data: names and addresses are joined from the person's record. */
export const REGISTRATIONS = 'registrations'

export async function createRegistrationsTable(db: Kysely<Db>, table: string): Promise<void> {
  await sql`
    create table ${sql.table(table)} (
      person_id text collate "C" primary key,
      whitelabel_id text collate "C" not null,
      currency text not null,
      status text not null,
      submitted_at text collate "C" not null,
      version integer not null
    )`.execute(db)
}

export async function indexRegistrationsTable(db: Kysely<Db>, table: string): Promise<void> {
  await sql`create index on ${sql.table(table)} (submitted_at, person_id) where status = 'submitted'`.execute(db)
  await sql`create index on ${sql.table(table)} (person_id) where status = 'approved'`.execute(db)
}

export const isOfRegistration = ({ stream }: Pick<StoredEvent, 'stream'>): boolean => stream.startsWith(REGISTRATION_STREAMS)

export async function applyRegistrations(db: Kysely<Db>, table: string, events: readonly StoredEvent[]): Promise<void> {
  for (const stored of events.filter(isOfRegistration)) {
    const event = decodeRegistrationEvent(stored)
    const personId = stored.stream.slice(REGISTRATION_STREAMS.length)
    if (event.type === 'RegistrationSubmitted') {
      const { whitelabel_id, currency } = event.data
      const { at } = readMetadata(stored.metadata)
      await sql`
        insert into ${sql.table(table)} as r (person_id, whitelabel_id, currency, status, submitted_at, version)
        values (${personId}, ${whitelabel_id}, ${currency}, 'submitted', ${at}, ${stored.version})
        on conflict (person_id) do update
          set currency = excluded.currency, status = excluded.status, submitted_at = excluded.submitted_at, version = excluded.version
          where r.version < excluded.version`.execute(db)
      continue
    }
    // The version guard ignores an event that was applied before.
    await sql`
      update ${sql.table(table)} set status = coalesce(${STATUS[event.type]}, status), version = ${stored.version}
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
