import type { JsonObject } from '#domain/kit/json-changes'
import { column, table, type PhysicalSet, type RowOf } from '../projector/table.ts'

/** One row for each event of every subject, in the order of the log, and what is known of each subject. */
export const AUDIT_LOG = {
  // Narrow: an account's books alone have a row a minute. What an event says is read from the log.
  audit_log: table(
    {
      position: column.big,
      version: column.int,
      revision: column.int,
      /** Null where no event of the subject said where it belongs. */
      whitelabel_id: column.id().orNull,
      /** The account; null for the white-label itself. */
      space_id: column.id().orNull,
      kind: column.id(),
      subject_id: column.id(),
      type: column.id(),
      actor: column.id(),
      role: column.id(),
      on_behalf_of: column.id().orNull,
      source: column.id(),
      /** Business time. */
      at: column.id(),
      /** Paths of the changed fields, without ids of elements. */
      fields: column.ids().orNull,
      /** Values before, where the event holds only the new ones. */
      was: column.jsonb<JsonObject>().orNull,
    },
    {
      key: ['position'],
      keyedLast: true,
      indexes: [
        '(whitelabel_id, position)',
        '(whitelabel_id, type, position)',
        '(space_id, position)',
        "(subject_id, position) where kind <> 'ledger'",
        "(actor, position) where actor not like 'system:%'",
      ],
    },
  ),
  audit_subjects: table(
    {
      stream: column.id(),
      whitelabel_id: column.id().orNull,
      space_id: column.id().orNull,
      /** Values by path that its events set, where later ones do not hold what they replace. */
      set_values: column.jsonb<JsonObject>().orNull,
      /** Version of the newest event in this row. */
      version: column.int,
    },
    { key: ['stream'] },
  ),
  // Business time mostly grows with the position, but need not: each day's positions bound the reads of a period.
  audit_days: table({ day: column.id(), first_position: column.big, last_position: column.big }, { key: ['day'] }),
}
export type AuditTables = PhysicalSet<typeof AUDIT_LOG>
export type LogRow = RowOf<AuditTables['audit_log']> & { readonly position: bigint }
/** Facts of a subject by its earlier events. */
export type Subject = Omit<RowOf<AuditTables['audit_subjects']>, 'stream'>
