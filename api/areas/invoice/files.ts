import type { Language } from '#domain/kit/languages'
import type { InvoicePort } from '#commands/invoice/invoice-port'
import { cpmOf, printedDigits, printedLines, sumsOf } from '#domain/invoice/amounts'
import { decodeInvoiceEvent, invoiceStream, lineOf, type InvoiceLine } from '#domain/invoice/events'
import { evolve as evolveInvoice, initial as initialInvoice, paidOf, zoneOf, type InvoiceState } from '#domain/invoice/state'
import { readMetadata } from '#domain/kit/event-metadata'
import { addedTax, FULL_RATE } from '#domain/invoice/tax'
import { fromMicros } from '#domain/kit/money'
import { dayIn } from '#domain/kit/time-zone'
import { datedAt } from '#projections/invoice/invoices'
import { campaignNames, linesOfInvoice } from '#projections/invoice/queries'
import type { Needs, Services } from '#api/areas/services'
import type { Attachment } from '#commands/mail/mailer'
import type { DocumentTax, InvoiceDocument } from '#commands/invoice/document'
import { logoOf } from './logo.ts'
import { partiesOf } from './parties.ts'
import { taxShown } from './tax.ts'

export type FilesKit = Needs<'accounts' | 'db' | 'files' | 'media' | 'store' | 'whiteLabels'> & {
  readonly invoices: Pick<Services['invoices'], 'charges' | 'parties' | 'render'>
}

export const claimOf = (invoiceId: string, { space_id: spaceId, from, to }: InvoiceState) => ({ invoiceId, spaceId, from, to })

export const isDraft = ({ stage }: InvoiceState): boolean => stage === 'draft' || stage === 'issuing'

/** The lines of an invoice: as issued, or for a draft those of now. */
export async function linesNow(
  { db, invoices }: Pick<FilesKit, 'db' | 'invoices'>,
  id: string,
  state: InvoiceState,
): Promise<readonly InvoiceLine[]> {
  return isDraft(state) ? linesOfDraft({ db, invoices }, id, state) : linesOfInvoice(db, id)
}

async function linesOfDraft({ db, invoices }: Pick<FilesKit, 'db' | 'invoices'>, id: string, state: InvoiceState) {
  const lines = await invoices.charges.draftLines(claimOf(id, state))
  const names = await campaignNames(db, [...new Set(lines.map((line) => line.campaign_id))])
  return lines.map((line) => ({ ...line, name: names.get(line.campaign_id) ?? line.campaign_id }))
}

/** Names for the lines of an invoice, which keeps them for ever: a campaign that the list lacks is waited for. */
export const namesOfCampaigns =
  ({ db, caughtUp }: Needs<'caughtUp' | 'db'>): InvoicePort['namesOf'] =>
  async (ids) => {
    const known = await campaignNames(db, ids)
    if (known.size === ids.length) return known
    await caughtUp(['campaign-list'])
    return campaignNames(db, ids)
  }

export type Amounts = Awaited<ReturnType<typeof amountsOf>>

/** Total, rounding, tax and sum to pay; of a draft by its lines and the tax of now. */
export async function amountsOf(
  kit: Needs<'accounts' | 'whiteLabels'>,
  state: InvoiceState,
  lines: readonly Pick<InvoiceLine, 'amount'>[],
) {
  if (!isDraft(state)) {
    const { total, rounding, tax, payable, tax_mode, tax_rate } = state
    return { total, rounding, tax, payable, tax_mode, tax_rate }
  }
  const terms =
    state.stage === 'issuing' ? state : await taxShown(kit, { spaceId: state.space_id, whitelabelId: state.whitelabel_id })
  const total = lines.reduce((sum, { amount }) => sum + amount, 0)
  return { ...sumsOf(total, terms, state.currency), tax_mode: terms.tax_mode, tax_rate: terms.tax_rate }
}

/** The tax as documents show it; null without one. */
export const taxLineOf = ({ tax_mode, tax_rate, tax, payable }: Amounts): DocumentTax | null =>
  tax_mode === 'none'
    ? null
    : {
        included: tax_mode === 'inclusive',
        percent: (tax_rate * 100) / FULL_RATE,
        taxable: fromMicros(payable - tax),
        amount: fromMicros(tax),
      }

/** Sum of the lines of a document: the amount to be paid, without a tax that is added. */
export const subtotalOf = (amounts: Amounts) => amounts.payable - addedTax(amounts)

/** An invoice as its own events say: read models may be behind, and a document that was mailed cannot be taken back. */
async function recorded({ store }: Needs<'store'>, id: string) {
  let state = initialInvoice
  let lines: readonly InvoiceLine[] = []
  let draftedAt = ''
  for (const stored of await store.readStream(invoiceStream(id))) {
    const event = decodeInvoiceEvent(stored)
    const meta = readMetadata(stored.metadata)
    state = evolveInvoice(state, event, meta)
    if (event.type === 'InvoiceIssued') lines = event.data.lines.map(lineOf)
    draftedAt ||= meta.at
  }
  return { state, lines, datedAt: datedAt(state, draftedAt) }
}
type Recorded = Awaited<ReturnType<typeof recorded>>

async function documentOf(kit: FilesKit, id: string, { state, lines: issued, datedAt }: Recorded, language: Language) {
  const lines = isDraft(state) ? await linesOfDraft(kit, id, state) : issued
  const amounts = await amountsOf(kit, state, lines)
  const { payable } = amounts
  const printed = printedLines(
    lines.map(({ amount }) => amount),
    subtotalOf(amounts),
    state.currency,
  )
  const parties = await partiesOf(kit, { id, spaceId: state.space_id, whitelabelId: state.whitelabel_id })
  const { name, primary } = kit.whiteLabels.brandOf(state.whitelabel_id)
  const day = (instant: string) => dayIn(instant, zoneOf(state))
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
    brand: { name, primary, logo: await logoOf(kit, state.whitelabel_id) },
    ...parties,
    currency: state.currency,
    from: state.charge_from_date,
    to: state.charge_to_date,
    issuedAt: datedAt,
    issued: day(datedAt),
    due: state.due_at === null ? state.due_date : day(state.due_at),
    digits: printedDigits(payable, state.currency),
    lines: lines.map(({ name: campaign, impressions, amount, late }, i) => {
      const cpm = cpmOf(amount, impressions)
      return {
        name: campaign,
        amount: fromMicros(printed[i] ?? 0),
        impressions,
        cpm: cpm === null ? null : fromMicros(cpm),
        late,
      }
    }),
    subtotal: fromMicros(subtotalOf(amounts)),
    tax: taxLineOf(amounts),
    total: fromMicros(payable),
    payments: payments.toSorted((a, b) => (a.date < b.date ? -1 : 1)),
    balanceDue: state.kind === 'credit_note' || state.stage === 'void' ? 0 : fromMicros(payable - paidOf(state)),
    note: state.note,
    comment: state.comment,
    corrects: state.invoice_number,
  } satisfies InvoiceDocument
}

/** The document itself, of a draft too; null when there is none. */
export async function invoiceDocument(kit: FilesKit, id: string, language: Language): Promise<InvoiceDocument | null> {
  const found = await recorded(kit, id)
  return found.state.stage === 'none' || found.state.stage === 'deleted' ? null : documentOf(kit, id, found, language)
}

/** The document as a file, of a draft too; null when there is none. */
export async function invoiceFile(kit: FilesKit, id: string, language: Language): Promise<Attachment | null> {
  const found = await recorded(kit, id)
  return found.state.stage === 'none' || found.state.stage === 'deleted' ? null : fileOf(kit, id, found, language)
}

/** The document as a file, once it is issued; null before. */
export async function issuedFile(kit: FilesKit, id: string, language: Language): Promise<Attachment | null> {
  const found = await recorded(kit, id)
  return found.state.stage === 'issued' || found.state.stage === 'void' ? fileOf(kit, id, found, language) : null
}

async function fileOf(kit: FilesKit, id: string, found: Recorded, language: Language): Promise<Attachment> {
  const document = await documentOf(kit, id, found, language)
  const content = await kit.invoices.render(document)
  return { filename: `${document.number ?? 'draft'}.pdf`, content, contentType: 'application/pdf' }
}
