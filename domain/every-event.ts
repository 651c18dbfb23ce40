import { ACCOUNT_EVENTS, type AccountEvent } from './account/account.ts'
import { CAMPAIGN_EVENTS, type CampaignEvent } from './campaign/events.ts'
import type { EventSchema, EventSchemas } from './kit/event-schema.ts'

/** The schema of every event of the product: what is written, and what the golden corpus must hold. */
export const EVERY_EVENT: EventSchemas<AccountEvent | CampaignEvent> = { ...ACCOUNT_EVENTS, ...CAMPAIGN_EVENTS }

const versions = new Map(Object.entries<EventSchema>(EVERY_EVENT).map(([type, { version }]) => [type, version]))

/** The schema version under which an event of this type is stored today; throws for a type that nobody declared. */
export function schemaVersionOf(type: string): number {
  const version = versions.get(type)
  if (version === undefined) throw new Error(`${type} is no declared event`)
  return version
}
