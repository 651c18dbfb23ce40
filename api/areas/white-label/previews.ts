import { cpmOf, documentNumber, printedDigits, printedLines, sumsOf } from '#domain/invoice/amounts'
import { isTaxRate, NO_TAX } from '#domain/invoice/tax'
import { fromMicros } from '#domain/kit/money'
import { tidiedInvoicing, type Invoicing } from '#domain/white-label/invoicing'
import { DEFAULT_PRIMARY, shownColor } from '#domain/white-label/palette'
import { isHexColor, type WhiteLabel } from '#domain/white-label/white-label'
import type { PREVIEWED_MAILS } from '#contract/white-label'
import type { InvoiceDocument } from '#commands/invoice/document'
import { subtotalOf, taxLineOf } from '../invoice/files.ts'
import { logoOf } from '../invoice/logo.ts'
import { exampleParties } from '../invoice/parties.ts'
import type { Needs } from '#api/areas/services'
import { layOut } from '#commands/mail/layout'

type Language = InvoiceDocument['language']
/** Values that are typed and not saved yet. */
export type Unsaved = { readonly name?: string | undefined; readonly primary_color?: string | null | undefined }

/** Two campaigns of a month. */
const LINES = [
  { name: { en: 'Autumn campaign', ru: 'Осенняя кампания' }, amount: 1_447_735_379, impressions: 723_868 },
  { name: { en: 'Summer campaign', ru: 'Летняя кампания' }, amount: 312_104_118, impressions: 141_220 },
] as const
const CURRENCY = 'USD'
const PERIOD = { from: '2026-10-01', to: '2026-10-31', issued: '2026-11-01', due: '2026-12-01' } as const
const BUYER = { en: 'Example Ltd', ru: 'ООО «Пример»' } as const

function brandOf(label: WhiteLabel, { name, primary_color: typed }: Unsaved) {
  const color = typed === undefined ? label.primary_color : typed
  return {
    name: name === undefined || name.trim() === '' ? label.name : name.trim(),
    primary: shownColor('primary', 'light', color !== null && isHexColor(color) ? color : DEFAULT_PRIMARY),
  }
}

/** An example of an invoice of this white-label. */
export async function exampleInvoice(
  kit: Needs<'accounts' | 'db' | 'files' | 'media' | 'whiteLabels'>,
  label: WhiteLabel,
  unsaved: Unsaved & { readonly invoicing: Partial<Invoicing> },
  language: Language,
): Promise<InvoiceDocument> {
  const brand = brandOf(label, unsaved)
  const invoicing = tidiedInvoicing(unsaved.invoicing, label.invoicing)
  const terms = isTaxRate(invoicing.tax_mode, invoicing.tax_rate) ? invoicing : NO_TAX
  const sums = sumsOf(
    LINES.reduce((sum, { amount }) => sum + amount, 0),
    terms,
    CURRENCY,
  )
  const amounts = { ...sums, tax_mode: terms.tax_mode, tax_rate: terms.tax_rate }
  const printed = printedLines(
    LINES.map(({ amount }) => amount),
    subtotalOf(amounts),
    CURRENCY,
  )
  return {
    language,
    kind: 'invoice',
    mark: 'draft',
    number: documentNumber(label.id, 2026, 1),
    brand: { ...brand, logo: await logoOf(kit, label.id) },
    ...(await exampleParties(kit, label.id, { brand: brand.name, buyer: BUYER[language], invoicing })),
    currency: CURRENCY,
    digits: printedDigits(sums.payable, CURRENCY),
    ...PERIOD,
    issuedAt: `${PERIOD.issued}T09:00:00.000Z`,
    lines: LINES.map(({ name, amount, impressions }, i) => {
      const cpm = cpmOf(amount, impressions)
      return {
        name: name[language],
        amount: fromMicros(printed[i] ?? 0),
        impressions,
        cpm: cpm === null ? null : fromMicros(cpm),
        late: false,
      }
    }),
    subtotal: fromMicros(subtotalOf(amounts)),
    tax: taxLineOf(amounts),
    total: fromMicros(sums.payable),
    payments: [],
    balanceDue: fromMicros(sums.payable),
    note: '',
    comment: '',
    corrects: null,
  }
}

/** An example of a mail of this white-label. */
export function exampleMail(
  { templates }: Needs<'templates'>,
  label: WhiteLabel,
  { template, ...unsaved }: Unsaved & { readonly template: (typeof PREVIEWED_MAILS)[number] },
  { language, origin, logoPath }: { readonly language: Language; readonly origin: string; readonly logoPath: string | null },
) {
  const found = templates[template]
  if (found === undefined) throw new Error(`there is no mail ${template}`)
  const { name, primary } = brandOf(label, unsaved)
  const text = found.texts[language]({
    firstName: language === 'ru' ? 'Анна' : 'Ada',
    brand: name,
    link: origin + found.path,
    data: {
      account: BUYER[language],
      number: documentNumber(label.id, 2026, 1),
      amount: 250,
      total: 1759.84,
      available: 812.5,
      notice: 'runway_3',
      currency: CURRENCY,
      brand: 'visa',
      last4: '4242',
      from: PERIOD.from,
      to: PERIOD.to,
      due: PERIOD.due,
      at: `${PERIOD.issued}T09:00:00.000Z`,
    },
  })
  // The page around it may only show pictures of its own host.
  const { subject, html } = layOut(text, { name, logoUrl: logoPath, primaryColor: primary }, language)
  return { subject, html }
}
