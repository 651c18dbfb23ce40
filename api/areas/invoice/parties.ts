import { sql, type Kysely } from 'kysely'
import type { InvoicePort } from '#commands/invoice/invoice-port'
import { LEGAL_FIELDS, type LegalField } from '#domain/account/account'
import { DEFAULT_INVOICING, type Invoicing } from '#domain/white-label/invoicing'
import type { InvoiceOwn } from './uses.ts'
import type { Party, Seller } from '#commands/invoice/document'
import type { Db } from '#migrations/db'
import { invoicingNow } from './tax.ts'

type Parties = { readonly seller: Seller; readonly buyer: Party }
type PartiesKit = Pick<InvoiceOwn, 'accounts' | 'db' | 'whiteLabels'>
type Entity = Readonly<Record<LegalField, string>>

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

const partyOf = (name: string, entity: Partial<Entity> = {}): Party => {
  const { invoice_email: email = '', ...known } = entity
  return { ...NO_PARTY, ...known, name, email }
}

/** The parties of an example: the seller with these settings, and a buyer that does not exist. */
export async function exampleParties(
  { db }: Pick<InvoiceOwn, 'db'>,
  whitelabelId: string,
  { brand, buyer, invoicing }: { readonly brand: string; readonly buyer: string; readonly invoicing: Invoicing },
): Promise<Parties> {
  const house = await db
    .selectFrom('identity.legal_entities')
    .select(LEGAL_FIELDS)
    .where('space_id', 'in', houseOf(db, whitelabelId))
    .executeTakeFirst()
  return { seller: sellerOf(brand, invoicing, house), buyer: partyOf(buyer) }
}

/** The seller by the settings of its white-label; by the legal entity of its house account where they name none. */
function sellerOf(name: string, invoicing: Invoicing, house?: Partial<Entity>): Seller {
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

const houseOf = (db: Kysely<Db>, whitelabelId: string) =>
  db.selectFrom('rm_accounts').select('space_id').where('house', '=', true).where('whitelabel_id', '=', whitelabelId)

/** Both parties as they are now: the account, and the white-label by its settings and its house account. */
async function partiesNow(
  { accounts, db, whiteLabels }: PartiesKit,
  spaceId: string,
  whitelabelId: string,
  invoicing: Invoicing,
): Promise<Parties> {
  // Not from the read model: it may lack the account.
  const account = await accounts.opened(spaceId)
  const rows = await db
    .selectFrom('identity.legal_entities')
    .select(['space_id', ...LEGAL_FIELDS])
    .where((eb) => eb.or([eb('space_id', '=', spaceId), eb('space_id', 'in', houseOf(db, whitelabelId))]))
    .execute()
  const entityOf = (house: boolean): Entity | undefined => {
    const found = rows.find((row) => (row.space_id !== spaceId) === house)
    if (found === undefined) return undefined
    const { space_id: _, ...entity } = found
    return entity
  }
  return {
    seller: sellerOf(whiteLabels.brandOf(whitelabelId).name, invoicing, entityOf(true)),
    buyer: partyOf(account?.name ?? '', entityOf(false)),
  }
}

/** Keeps the parties of a document when it is issued. */
export const keepParties =
  (kit: PartiesKit & Pick<InvoiceOwn, 'store'>): InvoicePort['keepParties'] =>
  async ({ documentId, spaceId, whitelabelId }) => {
    const parties = await partiesNow(kit, spaceId, whitelabelId, await invoicingNow(kit, whitelabelId))
    await kit.db
      .insertInto('identity.invoice_parties')
      .values({ document_id: documentId, space_id: spaceId, parties: JSON.stringify(parties) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

/** The parties of a document: as kept, or as they are now for a draft. Documents from before addresses have none. */
export async function partiesOf(
  kit: PartiesKit,
  document: { readonly id: string; readonly spaceId: string; readonly whitelabelId: string },
): Promise<Parties> {
  const kept = await kit.db
    .selectFrom('identity.invoice_parties')
    .select('parties')
    .where('document_id', '=', document.id)
    .$castTo<{ parties: { readonly seller: Partial<Seller>; readonly buyer: Partial<Party> } }>()
    .executeTakeFirst()
  if (kept !== undefined)
    return {
      seller: { ...NO_PARTY, ...NO_PAYMENT, ...kept.parties.seller },
      buyer: { ...NO_PARTY, ...kept.parties.buyer },
    }
  const invoicing = kit.whiteLabels.find(document.whitelabelId)?.invoicing ?? DEFAULT_INVOICING
  return partiesNow(kit, document.spaceId, document.whitelabelId, invoicing)
}

/** Users who own the account, the first one first. */
export async function ownersOf(
  db: Kysely<Db>,
  spaceId: string,
): Promise<readonly { readonly id: string; readonly language_key: number | null }[]> {
  return db
    .selectFrom('identity.people')
    .select(['id', 'language_key'])
    .where('home_space_id', '=', spaceId)
    .where((eb) => sql<boolean>`'USER_OWNER' = any(${eb.ref('roles')})`)
    .where('status_key', '=', 5)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}
