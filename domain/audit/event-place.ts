import { accountStream } from '../account/account.ts'
import { LEDGER_STREAMS, spaceOfLedger } from '../account/ledger.ts'
import type { JsonObject } from '../kit/json-changes.ts'
import { subjectOf } from './event-kinds.ts'
import type { AnyEvent, EventType } from './event-changes.ts'

/** Where a subject belongs. The space is null for what belongs to the white-label itself. */
export type SubjectPlace = { readonly whitelabelId: string | null; readonly spaceId: string | null }
export const NOWHERE: SubjectPlace = { whitelabelId: null, spaceId: null }

/** Events that say where their subject belongs. */
const PLACED: ReadonlySet<string> = new Set<EventType>([
  'AccountOpened',
  'AudienceCreated',
  'CampaignCreated',
  'CreditNoteDocumented',
  'InvoiceDrafted',
  'PaymentStarted',
  'RegistrationSubmitted',
])
export const isPlaced = (type: string): boolean => PLACED.has(type)

/** The place that an event of `isPlaced` names. */
export const placeIn = ({ data }: AnyEvent): SubjectPlace => ({
  whitelabelId: textOf(data.whitelabel_id),
  spaceId: textOf(data.space_id),
})

const textOf = (value: JsonObject[string] | undefined): string | null => (typeof value === 'string' ? value : null)

/** The stream whose events say where the subject of this one belongs: that of the account for its books. */
export const placingStream = (stream: string): string =>
  stream.startsWith(LEDGER_STREAMS) ? accountStream(spaceOfLedger(stream)) : stream

/** The place that the name of a stream alone says; null where events say it. */
export function placeByName(stream: string): SubjectPlace | null {
  const subject = subjectOf(stream)
  return subject?.kind === 'white-label' ? { whitelabelId: subject.id, spaceId: null } : null
}
