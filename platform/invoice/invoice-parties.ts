import type { Kysely } from 'kysely'
import type { Party, Seller } from '#commands/invoice/document'
import { openRow, sealRow } from '#eventstore/postgres/sealed-columns'
import type { Db } from '#migrations/db'

type Kept = { readonly seller: Partial<Seller>; readonly buyer: Partial<Party> }

/** The parties of documents, as they were when each was issued. Personal data: not in events. */
export const createInvoiceParties = (db: Kysely<Db>) => ({
  /** Keeps the parties of a document; the first ones stay. */
  async keep(documentId: string, spaceId: string, parties: { readonly seller: Seller; readonly buyer: Party }): Promise<void> {
    await db
      .insertInto('identity.invoice_parties')
      .values({ document_id: documentId, space_id: spaceId, ...sealRow(db, 'identity.invoice_parties', documentId, { parties }) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  },

  /** Undefined for a draft. */
  async of(documentId: string): Promise<Kept | undefined> {
    const kept = await db
      .selectFrom('identity.invoice_parties')
      .select('parties')
      .where('document_id', '=', documentId)
      .executeTakeFirst()
    return kept && (openRow(db, 'identity.invoice_parties', documentId, kept).parties as Kept)
  },
})
export type InvoiceParties = ReturnType<typeof createInvoiceParties>
