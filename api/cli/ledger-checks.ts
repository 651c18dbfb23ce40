import type { Kysely } from 'kysely'
import type { EventStore } from '#eventstore/event-store'
import type { FactStore } from '#factstore/fact-store'
import type { Db } from '#migrations/db'
import { chargedByCampaign } from '#platform/delivery/charged-hours'
import { condensedUpTo } from '#platform/delivery/condense'
import { chargesOf } from '#platform/delivery/settlements'
import {
  balanceAgainstScreens,
  chargesAgainstFacts,
  hashesAgainstCharges,
  settlementsAgainstCharges,
  settlementsAgainstHours,
  type ChargeReads,
} from '../reconciliation/delivery-checks.ts'
import type { Check } from '../reconciliation/difference.ts'
import { chargesAgainstInvoices, invoicesAgainstLedger, refundsAgainstInvoices } from '../reconciliation/invoice-checks.ts'

/** Comparisons of the ledger with what this installation itself keeps: charges, facts, screens and invoices. */
export function ledgerChecks(db: Kysely<Db>, store: EventStore, facts: FactStore): readonly Check[] {
  const reads: ChargeReads = {
    chargesOf: (spaceId, settlement) => chargesOf(db, spaceId, settlement),
    condensedUpTo: (spaceId) => condensedUpTo(db, spaceId),
    chargedByCampaign: (spaceId) => chargedByCampaign(db, spaceId),
  }
  return [
    settlementsAgainstCharges(db, reads),
    hashesAgainstCharges(reads),
    settlementsAgainstHours(reads),
    chargesAgainstFacts(db, facts, reads),
    balanceAgainstScreens(db),
    invoicesAgainstLedger(db, store),
    chargesAgainstInvoices(db, store),
    refundsAgainstInvoices(db, store),
  ]
}
