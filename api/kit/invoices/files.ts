import { localDay } from '../../../domain/campaign/content/dates.ts'
import { rounded } from '../../../domain/invoice/amounts.ts'
import type { InvoiceLine } from '../../../domain/invoice/events.ts'
import { paidOf, type InvoiceState } from '../../../domain/invoice/state.ts'
import { fromMicros } from '../../../domain/kit/money.ts'
import { campaignNames, findInvoice, linesOfInvoice } from '../../../projections/invoices/queries.ts'
import type { Kit } from '../kit.ts'
import type { Language } from '../mail/layout.ts'
import type { Attachment } from '../mail/mailer.ts'
import type { InvoiceDocument } from './document.ts'
import { partiesOf } from './parties.ts'

type FilesKit = Pick<Kit, 'accounts' | 'db' | 'invoices' | 'now' | 'whiteLabels'>

export const claimOf = (invoiceId: string, { space_id: spaceId, from, to }: InvoiceState) => ({ invoiceId, spaceId, from, to })

const isDraft = ({ stage }: InvoiceState): boolean => stage === 'draft' || stage === 'issuing'

/** The lines of an invoice: as issued, or for a draft those of now. */
export async function linesNow(
  { db, invoices }: Pick<Kit, 'db' | 'invoices'>,
  id: string,
  state: InvoiceState,
): Promise<readonly InvoiceLine[]> {
  if (!isDraft(state)) return linesOfInvoice(db, id)
  const lines = await invoices.charges.draftLines(claimOf(id, state))
  const names = await campaignNames(db, [...new Set(lines.map((line) => line.campaign_id))])
  return lines.map((line) => ({ ...line, name: names.get(line.campaign_id) ?? line.campaign_id }))
}

/** Total, rounding and sum to pay; of a draft by its lines of now. */
export function amountsOf(state: InvoiceState, lines: readonly InvoiceLine[]) {
  if (!isDraft(state)) return { total: state.total, rounding: state.rounding, payable: state.payable }
  const total = lines.reduce((sum, { amount }) => sum + amount, 0)
  return { total, ...rounded(total) }
}

export async function documentOf(kit: FilesKit, id: string, language: Language): Promise<InvoiceDocument | null> {
  const row = await findInvoice(kit.db, id)
  if (row === null) return null
  const { state } = row
  const lines = await linesNow(kit, id, state)
  const { total, rounding, payable } = amountsOf(state, lines)
  const parties = await partiesOf(kit, { id, spaceId: state.space_id, whitelabelId: state.whitelabel_id })
  const { name, primary } = kit.whiteLabels.brandOf(state.whitelabel_id)
  const day = (instant: string) => localDay(instant, state.offset_seconds)
  const issuedAt = state.issued_at ?? row.dated_at
  const payments = [
    ...Object.values(state.payments)
      .filter(({ applied }) => applied > 0)
      .map(({ paid_at, source, applied }) => ({ date: paid_at, type: source, amount: fromMicros(applied) })),
    ...Object.values(state.credits)
      .filter(({ assigned }) => assigned > 0)
      .map(({ at, assigned }) => ({ date: day(at), type: 'credit_note' as const, amount: fromMicros(assigned) })),
  ]
  return {
    language,
    kind: state.kind,
    mark: state.stage === 'void' ? 'void' : isDraft(state) ? 'draft' : null,
    number: state.number,
    brand: { name, primary },
    ...parties,
    currency: state.currency,
    from: state.charge_from_date,
    to: state.charge_to_date,
    issuedAt,
    issued: day(issuedAt),
    due: state.due_at === null ? state.due_date : day(state.due_at),
    lines: lines.map((line) => ({ name: line.name, amount: fromMicros(line.amount), late: line.late })),
    exactTotal: fromMicros(total),
    rounding: fromMicros(rounding),
    total: fromMicros(payable),
    payments: payments.toSorted((a, b) => (a.date < b.date ? -1 : 1)),
    balanceDue: state.kind === 'credit_note' || state.stage === 'void' ? 0 : fromMicros(payable - paidOf(state)),
    note: state.note,
    comment: state.comment,
    corrects: state.invoice_number,
  }
}

/** The document as a file; null when there is none. */
export async function invoiceFile(kit: FilesKit, id: string, language: Language): Promise<Attachment | null> {
  const document = await documentOf(kit, id, language)
  if (document === null) return null
  const content = await kit.invoices.render(document)
  return { filename: `${document.number ?? 'draft'}.pdf`, content, contentType: 'application/pdf' }
}
