import { houseEntityOf, legalEntityOf, type LegalEntity } from '#projections/account/people'
import type { InvoicePort } from '#commands/invoice/invoice-port'
import { DEFAULT_INVOICING, type Invoicing } from '#domain/white-label/invoicing'
import type { Needs, Services } from '#api/areas/services'
import type { Party, Seller } from '#commands/invoice/document'
import { invoicingNow } from '#commands/invoice/issued-tax'

type Parties = { readonly seller: Seller; readonly buyer: Party }
type PartiesKit = Needs<'accounts' | 'db' | 'whiteLabels'> & {
  readonly invoices: Pick<Services['invoices'], 'parties'>
}

const NO_PARTY: Party = {
  name: '',
  legal_entity_name: '',
  tin_number: '',
  address_line_1: '',
  address_line_2: '',
  city: '',
  postal_code: '',
  country: '',
  email: '',
}

const partyOf = (name: string, entity: Partial<LegalEntity> = {}): Party => {
  const { invoice_email: email = '', ...known } = entity
  return { ...NO_PARTY, ...known, name, email }
}

/** The parties of an example: the seller with these settings, and a buyer that does not exist. */
export async function exampleParties(
  { db }: Needs<'db'>,
  whitelabelId: string,
  { brand, buyer, invoicing }: { readonly brand: string; readonly buyer: string; readonly invoicing: Invoicing },
): Promise<Parties> {
  const house = await houseEntityOf(db, whitelabelId)
  return { seller: sellerOf(brand, invoicing, house), buyer: partyOf(buyer) }
}

/** The seller by the settings of its white-label; by the legal entity of its house account where they name none. */
function sellerOf(name: string, invoicing: Invoicing, house?: Partial<LegalEntity>): Seller {
  const { legal_name, tax_number, tax_mode: _, tax_rate: __, ...settings } = invoicing
  const own = legal_name === '' ? partyOf(name, house) : partyOf(name)
  const given = Object.fromEntries(Object.entries(settings).filter(([, text]) => text !== ''))
  return {
    ...NO_PAYMENT,
    ...own,
    ...given,
    legal_entity_name: legal_name === '' ? own.legal_entity_name : legal_name,
    tin_number: tax_number === '' ? own.tin_number : tax_number,
  }
}
const NO_PAYMENT = { bank_name: '', bank_account: '', bank_code: '', payment_link: '', payment_terms: '' }

/** Both parties as they are now: the account, and the white-label by its settings and its house account. */
async function partiesNow(
  { accounts, db, whiteLabels }: PartiesKit,
  spaceId: string,
  whitelabelId: string,
  invoicing: Invoicing,
): Promise<Parties> {
  // Not from the read model: it may lack the account.
  const [account, entity, house] = await Promise.all([
    accounts.opened(spaceId),
    legalEntityOf(db, spaceId),
    houseEntityOf(db, whitelabelId),
  ])
  return {
    seller: sellerOf(whiteLabels.brandOf(whitelabelId).name, invoicing, house),
    buyer: partyOf(account?.name ?? '', entity),
  }
}

/** Keeps the parties of a document when it is issued. */
export const keepParties =
  (kit: PartiesKit & Needs<'store'>): InvoicePort['keepParties'] =>
  async ({ documentId, spaceId, whitelabelId }) => {
    const parties = await partiesNow(kit, spaceId, whitelabelId, await invoicingNow(kit.store, whitelabelId))
    await kit.invoices.parties.keep(documentId, spaceId, parties)
  }

/** The parties of a document: as kept, or as they are now for a draft. Documents from before addresses have none. */
export async function partiesOf(
  kit: PartiesKit,
  document: { readonly id: string; readonly spaceId: string; readonly whitelabelId: string },
): Promise<Parties> {
  const kept = await kit.invoices.parties.of(document.id)
  if (kept !== undefined)
    return {
      seller: { ...NO_PARTY, ...NO_PAYMENT, ...kept.seller },
      buyer: { ...NO_PARTY, ...kept.buyer },
    }
  const invoicing = kit.whiteLabels.find(document.whitelabelId)?.invoicing ?? DEFAULT_INVOICING
  return partiesNow(kit, document.spaceId, document.whitelabelId, invoicing)
}
