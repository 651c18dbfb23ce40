import { ACCOUNT_EVENTS, type AccountEvent } from './account/account.ts'
import { AUDIENCE_EVENTS, type AudienceEvent } from './audience/audience.ts'
import { CAMPAIGN_EVENTS, type CampaignEvent } from './campaign/events.ts'
import { LEDGER_EVENTS, type LedgerEvent } from './account/ledger.ts'
import { INVOICE_EVENTS, type InvoiceEvent } from './invoice/events.ts'
import { REGISTRATION_EVENTS, type RegistrationEvent } from './registration/registration.ts'
import { PAYMENT_EVENTS, type PaymentEvent } from './payment/payment.ts'
import { eventDecoder, type EventSchema, type EventSchemas } from './kit/event-schema.ts'
import { WHITE_LABEL_EVENTS, type WhiteLabelEvent } from './white-label/white-label.ts'

type EveryEvent =
  | AccountEvent
  | AudienceEvent
  | CampaignEvent
  | InvoiceEvent
  | LedgerEvent
  | PaymentEvent
  | RegistrationEvent
  | WhiteLabelEvent

/** The schema of every event of the product: the written versions, and the content of the golden corpus. */
export const EVERY_EVENT: EventSchemas<EveryEvent> = {
  ...ACCOUNT_EVENTS,
  ...AUDIENCE_EVENTS,
  ...CAMPAIGN_EVENTS,
  ...INVOICE_EVENTS,
  ...LEDGER_EVENTS,
  ...PAYMENT_EVENTS,
  ...REGISTRATION_EVENTS,
  ...WHITE_LABEL_EVENTS,
}

/** Any event from its stored bytes. */
export const decodeEvent = eventDecoder<EveryEvent>(EVERY_EVENT)

const versions = new Map(Object.entries<EventSchema>(EVERY_EVENT).map(([type, { version }]) => [type, version]))

/** The current schema version of this event type; throws for an undeclared type. */
export function schemaVersionOf(type: string): number {
  const version = versions.get(type)
  if (version === undefined) throw new Error(`${type} is not a declared event`)
  return version
}
