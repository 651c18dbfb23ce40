import { shared } from '#domain/invoice/amounts'
import { MICROS } from '#domain/kit/money'
import type { DocumentLine, InvoiceDocument, Party, Seller } from './document.ts'

/**
 * Invoices and credit notes as UBL 2.1 by Peppol BIS Billing 3.0 (EN 16931). Elements are in the order of the schema. Amounts are in the
 * currency's minor unit, and net: of a tax that amounts contain, lines share what is left without it.
 */

const CUSTOMIZATION = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0'
const PROFILE = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'
/** Scheme of an electronic address that is an email address. */
const EMAIL_SCHEME = 'EM'
/** Pieces (UN/ECE Recommendation 20). */
const PIECES = 'C62'
const THOUSAND = 1000
/** Digits of a price: a thousand impressions cost a fraction of a minor unit. */
const PRICE_DIGITS = 10

type UblDocument = InvoiceDocument & {
  readonly number: string
  /** How the buyer knows the document: the id of its account. */
  readonly buyerReference: string
}
type MissingField = { readonly party: 'seller' | 'buyer'; readonly field: keyof Party }

/** Facts about the parties that the standard requires and that are not known. */
export function missingForUbl({ seller, buyer }: Pick<InvoiceDocument, 'seller' | 'buyer'>): readonly MissingField[] {
  const of = (party: 'seller' | 'buyer', one: Party, fields: readonly (keyof Party)[]) =>
    fields.filter((field) => one[field] === '').map((field) => ({ party, field }))
  return [...of('seller', seller, ['country', 'email', 'tin_number']), ...of('buyer', buyer, ['country', 'email'])]
}

/** The document as XML. Its parties must have what `missingForUbl` names. */
export function ublOf(document: UblDocument): string {
  const isCredit = document.kind === 'credit_note'
  const root = isCredit ? 'CreditNote' : 'Invoice'
  const content = [
    text('cbc:CustomizationID', CUSTOMIZATION),
    text('cbc:ProfileID', PROFILE),
    text('cbc:ID', document.number),
    text('cbc:IssueDate', document.issued),
    ...(isCredit || document.due === null ? [] : [text('cbc:DueDate', document.due)]),
    isCredit ? text('cbc:CreditNoteTypeCode', '381') : text('cbc:InvoiceTypeCode', '380'),
    optional('cbc:Note', document.note),
    text('cbc:DocumentCurrencyCode', document.currency),
    text('cbc:BuyerReference', document.buyerReference),
    ...(document.from === ''
      ? []
      : [element('cac:InvoicePeriod', text('cbc:StartDate', document.from), text('cbc:EndDate', document.to))]),
    ...(document.corrects === null
      ? []
      : [element('cac:BillingReference', element('cac:InvoiceDocumentReference', text('cbc:ID', document.corrects)))]),
    element('cac:AccountingSupplierParty', partyOf(document.seller, document.tax !== null)),
    element('cac:AccountingCustomerParty', partyOf(document.buyer, document.tax !== null)),
    ...(isCredit ? [] : payment(document)),
    ...sums(document),
    ...lines(document),
  ]
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<${root} xmlns="urn:oasis:names:specification:ubl:schema:xsd:${root}-2"` +
    ` xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"` +
    ` xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">` +
    `${content.join('')}</${root}>\n`
  )
}

// ── Text ──

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }
/** Characters that XML cannot hold. */
// oxlint-disable-next-line no-control-regex
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const escaped = (value: string): string =>
  value
    .toWellFormed()
    .replaceAll(UNWRITABLE, '')
    .replaceAll(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign)

const text = (name: string, value: string, attributes: Readonly<Record<string, string>> = {}): string =>
  `<${name}${Object.entries(attributes)
    .map(([key, one]) => ` ${key}="${escaped(one)}"`)
    .join('')}>${escaped(value)}</${name}>`
const optional = (name: string, value: string): string => (value.trim() === '' ? '' : text(name, value))
const element = (name: string, ...content: readonly string[]): string => `<${name}>${content.join('')}</${name}>`

const money = (name: string, value: number, { currency, digits }: Pick<InvoiceDocument, 'currency' | 'digits'>): string =>
  text(name, value.toFixed(digits), { currencyID: currency })

// ── Parties ──

/** Tax numbers begin with the country; Greece has its own prefix. */
function taxNumberOf({ tin_number: number, country }: Party): string {
  const prefix = country === 'GR' ? 'EL' : country
  const plain = number.replaceAll(/[\s.]/g, '')
  return plain.toUpperCase().startsWith(prefix) ? plain : prefix + plain
}

function partyOf(party: Party, taxed: boolean): string {
  const name = party.legal_entity_name === '' ? party.name : party.legal_entity_name
  const hasTaxNumber = taxed && party.tin_number !== ''
  return element(
    'cac:Party',
    text('cbc:EndpointID', party.email, { schemeID: EMAIL_SCHEME }),
    element('cac:PartyName', text('cbc:Name', party.name === '' ? name : party.name)),
    element(
      'cac:PostalAddress',
      optional('cbc:StreetName', party.address_line_1),
      optional('cbc:AdditionalStreetName', party.address_line_2),
      optional('cbc:CityName', party.city),
      optional('cbc:PostalZone', party.postal_code),
      element('cac:Country', text('cbc:IdentificationCode', party.country)),
    ),
    // A document that is not subject to VAT names no VAT number (BR-O-02).
    hasTaxNumber ? element('cac:PartyTaxScheme', text('cbc:CompanyID', taxNumberOf(party)), VAT) : '',
    element(
      'cac:PartyLegalEntity',
      text('cbc:RegistrationName', name),
      hasTaxNumber ? '' : optional('cbc:CompanyID', party.tin_number),
    ),
    element('cac:Contact', text('cbc:ElectronicMail', party.email)),
  )
}

const VAT = element('cac:TaxScheme', text('cbc:ID', 'VAT'))

function payment({ seller, number }: UblDocument): readonly string[] {
  const { bank_account: account, bank_code: code, payment_link: link, payment_terms: terms }: Seller = seller
  const conditions = [terms, link].filter((one) => one !== '').join('\n')
  return [
    ...(account === ''
      ? []
      : [
          element(
            'cac:PaymentMeans',
            // Credit transfer.
            text('cbc:PaymentMeansCode', '30'),
            text('cbc:PaymentID', number),
            element(
              'cac:PayeeFinancialAccount',
              text('cbc:ID', account.replaceAll(/\s/g, '')),
              text('cbc:Name', seller.legal_entity_name === '' ? seller.name : seller.legal_entity_name),
              code === '' ? '' : element('cac:FinancialInstitutionBranch', text('cbc:ID', code.replaceAll(/\s/g, ''))),
            ),
          ),
        ]),
    ...(conditions === '' ? [] : [element('cac:PaymentTerms', text('cbc:Note', conditions))]),
  ]
}

// ── Amounts ──

/** Standard rated, or not subject to VAT, which has no rate but a reason. */
const category = (name: string, { tax }: Pick<InvoiceDocument, 'tax'>, withReason: boolean): string =>
  element(
    name,
    text('cbc:ID', tax === null ? 'O' : 'S'),
    tax === null ? '' : text('cbc:Percent', String(tax.percent)),
    tax === null && withReason
      ? text('cbc:TaxExemptionReasonCode', 'VATEX-EU-O') + text('cbc:TaxExemptionReason', 'Not subject to VAT')
      : '',
    VAT,
  )

function sums(document: UblDocument): readonly string[] {
  const { tax, total } = document
  const net = tax === null ? total : tax.taxable
  const amount = (name: string, value: number) => money(name, value, document)
  return [
    element(
      'cac:TaxTotal',
      amount('cbc:TaxAmount', tax?.amount ?? 0),
      element(
        'cac:TaxSubtotal',
        amount('cbc:TaxableAmount', net),
        amount('cbc:TaxAmount', tax?.amount ?? 0),
        category('cac:TaxCategory', document, true),
      ),
    ),
    element(
      'cac:LegalMonetaryTotal',
      amount('cbc:LineExtensionAmount', net),
      amount('cbc:TaxExclusiveAmount', net),
      amount('cbc:TaxInclusiveAmount', total),
      amount('cbc:PayableAmount', total),
    ),
  ]
}

function lines(document: UblDocument): readonly string[] {
  const { kind, comment, tax, total, digits } = document
  const rows: readonly Omit<DocumentLine, 'cpm'>[] =
    kind === 'credit_note' ? [{ name: comment, amount: total, impressions: null, late: false }] : document.lines
  const micros = (value: number) => Math.round(value * MICROS)
  const net =
    tax?.included === true
      ? shared(
          micros(tax.taxable),
          rows.map(({ amount }) => micros(amount)),
          MICROS / 10 ** digits,
        ).map((amount) => amount / MICROS)
      : rows.map(({ amount }) => amount)
  return rows.map((row, i) => lineOf(document, row, i + 1, net[i] ?? 0))
}

function lineOf(document: UblDocument, row: Omit<DocumentLine, 'cpm'>, number: number, net: number): string {
  const isCredit = document.kind === 'credit_note'
  const { currency } = document
  // Where impressions were not counted, the line is one piece.
  const [quantity, base] = row.impressions === null || row.impressions <= 0 ? [1, 1] : [row.impressions, THOUSAND]
  const price = trimmed(((net / quantity) * base).toFixed(PRICE_DIGITS))
  return element(
    isCredit ? 'cac:CreditNoteLine' : 'cac:InvoiceLine',
    text('cbc:ID', String(number)),
    text(isCredit ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity', String(quantity), { unitCode: PIECES }),
    money('cbc:LineExtensionAmount', net, document),
    element('cac:Item', text('cbc:Name', row.name), category('cac:ClassifiedTaxCategory', document, false)),
    element(
      'cac:Price',
      text('cbc:PriceAmount', price, { currencyID: currency }),
      text('cbc:BaseQuantity', String(base), { unitCode: PIECES }),
    ),
  )
}

/** A decimal without zeros at its end. */
const trimmed = (decimal: string): string => decimal.replace(/\.?0+$/, '')
