import { createAccountCommands, type Booked } from '#commands/account/account-commands'
import { createLedgerCommands } from '#commands/account/ledger-commands'
import { createAudienceCommands } from '#commands/audience/audience-commands'
import { createCampaignCommands } from '#commands/campaign/campaign-commands'
import { createPaymentCommands } from '#commands/payment/payment-commands'
import { createInvoiceCommands } from '#commands/invoice/invoice-commands'
import { createRegistrationCommands } from '#commands/registration/registration-commands'
import { createHandler, type WriteQuota } from '#commands/handle'
import type { Snapshots } from '#commands/snapshots'
import { createStateCache } from '#commands/state-cache'
import { createWhiteLabelCommands } from '#commands/white-label/white-label-commands'
import type { CampaignPort } from '#commands/campaign/campaign-port'
import type { ChargeCard, InvoicePort } from '#commands/invoice/invoice-port'
import type { DerivedId } from '#domain/kit/derived-id'
import type { EventStore } from '#eventstore/event-store'
import type { Tracer } from '#eventstore/tracer'
import { askerNow } from '#platform/database/lanes'
import type { Commands } from '../areas/services.ts'

/** Size of the events whose folded states commands keep in memory, bytes. */
const STATE_CACHE_BYTES = 32 * 1024 ** 2

type CommandDeps = {
  readonly store: EventStore
  readonly tracer: Tracer
  readonly snapshots: Snapshots
  readonly now: () => string
  readonly derivedId: DerivedId
  readonly campaignPort: CampaignPort
  readonly invoicePort: InvoicePort
  readonly chargeCard: ChargeCard
  readonly quota: WriteQuota
  readonly booked: Booked
}

/** The write side of every subject, over one loop. */
export function createCommands({
  booked,
  campaignPort,
  chargeCard,
  derivedId,
  invoicePort,
  now,
  quota,
  snapshots,
  store,
  tracer,
}: CommandDeps): Commands {
  const eventId = (commandId: string, n: number) => derivedId('event', commandId, String(n))
  const handle = createHandler({
    store,
    now,
    eventId,
    correlation: () => askerNow().request?.reqId ?? '',
    quota,
    cache: createStateCache(STATE_CACHE_BYTES),
    snapshots,
    tracer,
  })
  const accounts = createAccountCommands(handle, booked)
  return {
    campaigns: createCampaignCommands({ handle, store, port: campaignPort }),
    accounts,
    ledgers: createLedgerCommands(handle),
    audiences: createAudienceCommands(handle),
    invoices: createInvoiceCommands(handle, { accounts, port: invoicePort, commandId: derivedId, chargeCard }),
    whiteLabels: createWhiteLabelCommands(handle),
    registrations: createRegistrationCommands(handle),
    payments: createPaymentCommands(handle),
  }
}
