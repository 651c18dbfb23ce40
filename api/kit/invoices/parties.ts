import { sql, type Kysely } from 'kysely'
import type { InvoicePort } from '../../../commands/invoice/invoice-port.ts'
import type { Kit } from '../kit.ts'
import type { Party } from './document.ts'

type Parties = { readonly seller: Party; readonly buyer: Party }
type PartiesKit = Pick<Kit, 'accounts' | 'db' | 'whiteLabels'>

/** Both parties as they are now: the account, and the white-label by its house account. */
async function partiesNow({ accounts, db, whiteLabels }: PartiesKit, spaceId: string, whitelabelId: string): Promise<Parties> {
  // Not from the read model: it may lack the account.
  const account = await accounts.opened(spaceId)
  const { rows } = await sql<{ readonly house: boolean; readonly legal_entity_name: string; readonly tin_number: string }>`
    select l.space_id <> ${spaceId} as house, l.legal_entity_name, l.tin_number from identity.legal_entities l
    where l.space_id = ${spaceId}
      or l.space_id in (select space_id from rm_accounts where house and whitelabel_id = ${whitelabelId})`.execute(db)
  const party = (name: string, house: boolean): Party => {
    const entity = rows.find((row) => row.house === house)
    return { name, legal_entity_name: entity?.legal_entity_name ?? '', tin_number: entity?.tin_number ?? '' }
  }
  return { seller: party(whiteLabels.brandOf(whitelabelId).name, true), buyer: party(account?.name ?? '', false) }
}

/** Keeps the parties of a document when it is issued. */
export const keepParties =
  (kit: PartiesKit): InvoicePort['keepParties'] =>
  async ({ documentId, spaceId, whitelabelId }) => {
    const parties = await partiesNow(kit, spaceId, whitelabelId)
    await sql`
      insert into identity.invoice_parties (document_id, space_id, parties)
      values (${documentId}, ${spaceId}, ${JSON.stringify(parties)}::jsonb) on conflict do nothing`.execute(kit.db)
  }

/** The parties of a document: as kept, or as they are now for a draft. */
export async function partiesOf(
  kit: PartiesKit,
  document: { readonly id: string; readonly spaceId: string; readonly whitelabelId: string },
): Promise<Parties> {
  const { rows } = await sql<{ readonly parties: Parties }>`
    select parties from identity.invoice_parties where document_id = ${document.id}`.execute(kit.db)
  return rows[0]?.parties ?? partiesNow(kit, document.spaceId, document.whitelabelId)
}

/** Users who own the account, the first one first. */
export async function ownersOf(
  db: Kysely<never>,
  spaceId: string,
): Promise<readonly { readonly id: string; readonly language_key: number | null }[]> {
  const { rows } = await sql<{ readonly id: string; readonly language_key: number | null }>`
    select id, language_key from identity.people
    where home_space_id = ${spaceId} and 'USER_OWNER' = any(roles) and status_key = 5 order by created_at, id`.execute(db)
  return rows
}
