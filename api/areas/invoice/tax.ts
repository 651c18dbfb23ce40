import { systemContext } from '#domain/kit/event-metadata'
import { settingsOf } from '#domain/account/account'
import { taxTermsOf, type TaxTerms } from '#domain/invoice/tax'
import { DEFAULT_INVOICING, type Invoicing } from '#domain/white-label/invoicing'
import {
  decodeWhiteLabelEvent,
  evolve as evolveWhiteLabel,
  initial as initialWhiteLabel,
  whiteLabelOf,
  whiteLabelStream,
} from '#domain/white-label/white-label'
import type { InvoiceOwn } from './uses.ts'

type Owned = { readonly spaceId: string; readonly whitelabelId: string }

/** What invoices of a white-label say, from its own events: a document cannot be taken back. */
export async function invoicingNow({ store }: Pick<InvoiceOwn, 'store'>, whitelabelId: string): Promise<Invoicing> {
  const stored = await store.readStream(whiteLabelStream(whitelabelId))
  const state = stored.map(decodeWhiteLabelEvent).reduce(evolveWhiteLabel, initialWhiteLabel)
  return whiteLabelOf(whitelabelId, state)?.invoicing ?? DEFAULT_INVOICING
}

/** The tax of an invoice that is issued now, from the events of the account and its white-label. */
export async function taxNow(
  { commands, newId, store }: Pick<InvoiceOwn, 'commands' | 'newId' | 'store'>,
  { spaceId, whitelabelId }: Owned,
): Promise<TaxTerms> {
  const read = await commands.accounts.execute(spaceId, systemContext('invoices', newId()), { type: 'ReadAccount' })
  const own = read.kind === 'done' ? settingsOf(read.state) : { tax_mode: null, tax_rate: null }
  return taxTermsOf(own, await invoicingNow({ store }, whitelabelId))
}

/** The tax that a draft shows. */
export async function taxShown(
  { accounts, whiteLabels }: Pick<InvoiceOwn, 'accounts' | 'whiteLabels'>,
  { spaceId, whitelabelId }: Owned,
): Promise<TaxTerms> {
  const account = await accounts.find(spaceId)
  const usual = whiteLabels.find(whitelabelId)?.invoicing ?? DEFAULT_INVOICING
  return taxTermsOf(account?.settings ?? { tax_mode: null, tax_rate: null }, usual)
}
