import { settingsOf } from '#domain/account/account'
import { taxTermsOf, type TaxTerms } from '#domain/invoice/tax'
import { systemContext } from '#domain/kit/event-metadata'
import { DEFAULT_INVOICING, type Invoicing } from '#domain/white-label/invoicing'
import {
  decodeWhiteLabelEvent,
  evolve as evolveWhiteLabel,
  initial as initialWhiteLabel,
  whiteLabelOf,
  whiteLabelStream,
} from '#domain/white-label/white-label'
import type { EventStore } from '#eventstore/event-store'
import type { AccountCommands } from '../account/account-commands.ts'

type TaxDeps = {
  readonly accounts: AccountCommands
  readonly store: Pick<EventStore, 'readStream'>
  readonly newId: () => string
}

/** Invoice settings of a white-label, from its own events: a document cannot be taken back. */
export async function invoicingNow(store: TaxDeps['store'], whitelabelId: string): Promise<Invoicing> {
  const stored = await store.readStream(whiteLabelStream(whitelabelId))
  const state = stored.map(decodeWhiteLabelEvent).reduce(evolveWhiteLabel, initialWhiteLabel)
  return whiteLabelOf(whitelabelId, state)?.invoicing ?? DEFAULT_INVOICING
}

/** The tax of an invoice that is issued now, from the events of the account and its white-label. */
export async function taxNow(
  { accounts, newId, store }: TaxDeps,
  { spaceId, whitelabelId }: { readonly spaceId: string; readonly whitelabelId: string },
): Promise<TaxTerms> {
  const read = await accounts.execute(spaceId, systemContext('invoices', newId()), { type: 'ReadAccount' })
  const own = read.kind === 'done' ? settingsOf(read.state) : { tax_mode: null, tax_rate: null }
  return taxTermsOf(own, await invoicingNow(store, whitelabelId))
}
