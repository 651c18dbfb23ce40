import { actorNamer } from '#commands/identity/person'
import type { Actor } from '#domain/kit/access'
import { fromMicros } from '#domain/kit/money'
import type { LedgerRow } from '#projections/account/accounts'
import type { Needs } from '#api/areas/services'

/** Movements of an account as the reader may see them: actors by name, or by role where they are out of the reader's space. */
export async function shownMovements({ people }: Needs<'people'>, actor: Actor, spaceId: string, rows: readonly LedgerRow[]) {
  const known = await people.namesOf([...new Set(rows.map((row) => row.actor))].filter((id) => !id.startsWith('system:')))
  const name = actorNamer(actor, spaceId, known)
  return rows.map(({ version: _, reason, document_id: documentId, ...row }) => ({
    ...row,
    amount: fromMicros(row.amount),
    balance_after: fromMicros(row.balance_after),
    cause: reason ?? (row.settlement === null ? (documentId ?? row.payment_id ?? '') : `settlement ${row.settlement}`),
    actor: name(row.actor, row.type),
  }))
}
