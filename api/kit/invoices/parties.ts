import { sql, type Kysely } from 'kysely'
import type { InvoicePort } from '#commands/invoice/invoice-port'
import { LEGAL_FIELDS, type LegalField } from '#domain/account/account'
import { DEFAULT_INVOICING, type Invoicing } from '#domain/white-label/invoicing'
import type { Db } from '#migrations/db'
import type { Kit } from '../kit.ts'
import type { Party, Seller } from './document.ts'
import { invoicingNow } from './tax.ts'

type Parties = { readonly seller: Seller; readonly buyer: Party }
type PartiesKit = Pick<Kit, 'accounts' | 'db' | 'whiteLabels'>
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
  { db }: Pick<Kit, 'db'>,
  whitelabelId: string,
  { brand, buyer, invoicing }: { readonly brand: string; readonly buyer: string; readonly invoicing: Invoicing },
): Promise<Parties> {
  const { rows } = await sql<Entity>`
    select ${LEGAL_COLUMNS} from identity.legal_entities l
    where l.space_id in (select space_id from rm_accounts where house and whitelabel_id = ${whitelabelId})`.execute(db)
  return { seller: sellerOf(brand, invoicing, rows[0]), buyer: partyOf(buyer) }
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

/** The columns of the legal entity, by the names of its fields. */
const LEGAL_COLUMNS = sql.join(LEGAL_FIELDS.map((field) => sql`l.${sql.ref(field)}`))

/** Both parties as they are now: the account, and the white-label by its settings and its house account. */
async function partiesNow(
  { accounts, db, whiteLabels }: PartiesKit,
  spaceId: string,
  whitelabelId: string,
  invoicing: Invoicing,
): Promise<Parties> {
  // Not from the read model: it may lack the account.
  const account = await accounts.opened(spaceId)
  const { rows } = await sql<Entity & { readonly house: boolean }>`
    select l.space_id <> ${spaceId} as house, ${LEGAL_COLUMNS} from identity.legal_entities l
    where l.space_id = ${spaceId}
      or l.space_id in (select space_id from rm_accounts where house and whitelabel_id = ${whitelabelId})`.execute(db)
  const entityOf = (wanted: boolean): Entity | undefined => {
    const found = rows.find(({ house }) => house === wanted)
    if (found === undefined) return undefined
    const { house: _, ...entity } = found
    return entity
  }
  return {
    seller: sellerOf(whiteLabels.brandOf(whitelabelId).name, invoicing, entityOf(true)),
    buyer: partyOf(account?.name ?? '', entityOf(false)),
  }
}

/** Keeps the parties of a document when it is issued. */
export const keepParties =
  (kit: PartiesKit & Pick<Kit, 'store'>): InvoicePort['keepParties'] =>
  async ({ documentId, spaceId, whitelabelId }) => {
    const parties = await partiesNow(kit, spaceId, whitelabelId, await invoicingNow(kit, whitelabelId))
    await sql`
      insert into identity.invoice_parties (document_id, space_id, parties)
      values (${documentId}, ${spaceId}, ${JSON.stringify(parties)}::jsonb) on conflict do nothing`.execute(kit.db)
  }

/** The parties of a document: as kept, or as they are now for a draft. Documents from before addresses have none. */
export async function partiesOf(
  kit: PartiesKit,
  document: { readonly id: string; readonly spaceId: string; readonly whitelabelId: string },
): Promise<Parties> {
  const { rows } = await sql<{ readonly parties: { readonly seller: Partial<Seller>; readonly buyer: Partial<Party> } }>`
    select parties from identity.invoice_parties where document_id = ${document.id}`.execute(kit.db)
  const [kept] = rows
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
  const { rows } = await sql<{ readonly id: string; readonly language_key: number | null }>`
    select id, language_key from identity.people
    where home_space_id = ${spaceId} and 'USER_OWNER' = any(roles) and status_key = 5 order by created_at, id`.execute(db)
  return rows
}
