import { createRequire } from 'node:module'
import Pdf from 'pdfkit'
import type { InvoiceDocument, Party, Seller } from '#commands/invoice/document'
import { WORDS, type Words } from './pdf-words.ts'

const require = createRequire(import.meta.url)
const font = (name: string) => require.resolve(`@expo-google-fonts/${name}.ttf`)
/** Latin, Cyrillic and ₦ are in the first; Armenian letters and ֏ are only in the second. */
const FONTS = {
  regular: font('noto-sans/400Regular/NotoSans_400Regular'),
  bold: font('noto-sans/600SemiBold/NotoSans_600SemiBold'),
  armenian: font('noto-sans-armenian/400Regular/NotoSansArmenian_400Regular'),
  armenianBold: font('noto-sans-armenian/600SemiBold/NotoSansArmenian_600SemiBold'),
} as const

const PAGE = { width: 595.28, height: 841.89, left: 48, right: 48, top: 48, bottom: 64 }
const INNER = PAGE.width - PAGE.left - PAGE.right
const INK = '#111827'
const MUTED = '#6b7280'
const RULE = '#e5e7eb'
/** Widths of the columns of figures, from the right. */
const COLUMNS = { amount: 105, cpm: 85, impressions: 85 } as const
const AMOUNT_WIDTH = 130
const LOGO = { width: 180, height: 44 }

type Sheet = InstanceType<typeof Pdf>
type Style = { readonly size?: number; readonly bold?: boolean; readonly color?: string }
type Run = { readonly text: string; readonly armenian: boolean }

/** Consecutive characters that one font has. */
function runsOf(text: string): readonly Run[] {
  const runs: Run[] = []
  for (const sign of text) {
    const armenian = /[\u0530-\u058f\ufb13-\ufb17]/u.test(sign)
    const last = runs.at(-1)
    if (last !== undefined && (last.armenian === armenian || sign === ' '))
      runs[runs.length - 1] = { ...last, text: last.text + sign }
    else runs.push({ text: sign, armenian })
  }
  return runs
}

const fontOf = (armenian: boolean, bold: boolean): keyof typeof FONTS =>
  armenian ? (bold ? 'armenianBold' : 'armenian') : bold ? 'bold' : 'regular'

/** A text with the fonts that its characters need. */
function widthOf(sheet: Sheet, text: string, { size = 9.5, bold = false }: Style): number {
  return runsOf(text).reduce((sum, run) => sum + sheet.font(fontOf(run.armenian, bold)).fontSize(size).widthOfString(run.text), 0)
}

function write(sheet: Sheet, text: string, x: number, y: number, style: Style = {}): void {
  const { size = 9.5, bold = false, color = INK } = style
  let at = x
  for (const run of runsOf(text)) {
    sheet.font(fontOf(run.armenian, bold)).fontSize(size).fillColor(color)
    sheet.text(run.text, at, y, { lineBreak: false })
    at += sheet.widthOfString(run.text)
  }
}

const writeRight = (sheet: Sheet, text: string, right: number, y: number, style: Style = {}) =>
  write(sheet, text, right - widthOf(sheet, text, style), y, style)

/** Lines of at most this width; a word that is wider is cut. */
function wrapped(sheet: Sheet, text: string, width: number, style: Style = {}): readonly string[] {
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      const next = line === '' ? word : `${line} ${word}`
      if (widthOf(sheet, next, style) <= width) {
        line = next
        continue
      }
      if (line !== '') lines.push(line)
      line = ''
      for (const sign of word) {
        if (widthOf(sheet, line + sign, style) > width) {
          lines.push(line)
          line = ''
        }
        line += sign
      }
    }
    lines.push(line)
  }
  return lines
}

/** Renders a document: A4, with its fonts embedded. The same document has the same bytes. */
export function renderInvoice(document: InvoiceDocument): Promise<Uint8Array> {
  const words = WORDS[document.language]
  const title = `${words.kinds[document.kind]} ${document.number ?? words.draft}`
  const sheet = new Pdf({
    size: 'A4',
    margins: { left: PAGE.left, right: PAGE.right, top: PAGE.top, bottom: 0 },
    bufferPages: true,
    lang: document.language,
    info: { Title: title, Author: document.brand.name, CreationDate: new Date(document.issuedAt) },
  })
  for (const [name, path] of Object.entries(FONTS)) sheet.registerFont(name, path)
  const chunks: Buffer[] = []
  const done = new Promise<Uint8Array>((resolve, reject) => {
    sheet.on('data', (chunk: Buffer) => chunks.push(chunk))
    sheet.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))))
    sheet.on('error', reject)
  })
  fill(sheet, document, words)
  sheet.end()
  return done
}

function fill(sheet: Sheet, document: InvoiceDocument, words: Words): void {
  const money = new Intl.NumberFormat(document.language, {
    style: 'currency',
    currency: document.currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: document.digits,
    maximumFractionDigits: document.digits,
  })
  // A space that does not break is missing in no font, but readers of the text expect a plain one.
  const amount = (value: number) => money.format(value).replaceAll(/[\u00a0\u202f]/g, ' ')
  // A price of a thousand impressions is often less than a minor unit.
  const prices = new Intl.NumberFormat(document.language, { minimumFractionDigits: 4, maximumFractionDigits: 4 })
  const price = (value: number) => prices.format(value).replaceAll(/[\u00a0\u202f]/g, ' ')
  const whole = (value: number) => new Intl.NumberFormat(document.language).format(value).replaceAll(/[\u00a0\u202f]/g, ' ')
  const days = new Intl.DateTimeFormat(document.language, { dateStyle: 'long', timeZone: 'UTC' })
  const day = (value: string) => days.format(new Date(`${value}T00:00:00Z`)).replaceAll(/[\u00a0\u202f]/g, ' ')
  const right = PAGE.left + INNER
  const end = PAGE.height - PAGE.bottom
  let y = PAGE.top

  const rule = () => {
    sheet.moveTo(PAGE.left, y).lineTo(right, y).lineWidth(0.7).strokeColor(RULE).stroke()
  }
  const newPage = () => {
    sheet.addPage()
    y = PAGE.top
  }
  const room = (height: number) => {
    if (y + height > end) newPage()
  }

  // Head: brand, title and dates.
  sheet.rect(0, 0, PAGE.width, 6).fill(document.brand.primary)
  const { logo } = document.brand
  if (logo === null) write(sheet, document.brand.name, PAGE.left, y, { size: 16, bold: true })
  else sheet.image(Buffer.from(logo), PAGE.left, y - 8, { fit: [LOGO.width, LOGO.height] })
  writeRight(sheet, words.kinds[document.kind], right, y, { size: 16, bold: true })
  y += logo === null ? 26 : LOGO.height
  const facts: readonly (readonly [string, string])[] = [
    [words.number, document.number ?? words.draft],
    ...(document.corrects === null ? [] : [[words.corrects, document.corrects] as const]),
    [words.issued, day(document.issued)],
    ...(document.due === null ? [] : [[words.due, day(document.due)] as const]),
    [words.currency, document.currency],
    ...(document.from === '' ? [] : [[words.period, `${day(document.from)} – ${day(document.to)}`] as const]),
  ]
  const top = y
  const widest = Math.max(...facts.map(([, value]) => widthOf(sheet, value, {})))
  for (const [name, value] of facts) {
    writeRight(sheet, value, right, y)
    writeRight(sheet, name, right - widest - 12, y, { color: MUTED })
    y += 15
  }
  const headEnd = y
  y = top
  y = party(sheet, words.from, document.seller, y, document.language, words)
  y = Math.max(y, headEnd) + 10
  y = party(sheet, words.to, document.buyer, y, document.language, words) + 14

  // Lines, with their head on every page.
  const counted = document.kind === 'invoice' && document.lines.some(({ impressions }) => impressions !== null)
  const columns = { amount: right, cpm: right - COLUMNS.amount, impressions: right - COLUMNS.amount - COLUMNS.cpm }
  const nameWidth = INNER - COLUMNS.amount - (counted ? COLUMNS.cpm + COLUMNS.impressions : 0)
  const head = () => {
    const style = { size: 8.5, color: MUTED }
    write(sheet, words.campaign, PAGE.left, y, style)
    if (counted) {
      writeRight(sheet, words.impressions, columns.impressions, y, style)
      writeRight(sheet, words.cpm, columns.cpm, y, style)
    }
    writeRight(sheet, words.amount, columns.amount, y, style)
    y += 16
    rule()
    y += 6
  }
  const rows =
    document.kind === 'credit_note'
      ? [{ name: document.comment, amount: document.total, impressions: null, cpm: null, late: false }]
      : document.lines
  head()
  for (const line of rows) {
    const name = wrapped(sheet, line.name, nameWidth)
    const height = name.length * 13 + (line.late ? 12 : 0) + 5
    if (y + height > end) {
      newPage()
      head()
    }
    writeRight(sheet, amount(line.amount), columns.amount, y)
    if (line.impressions !== null) writeRight(sheet, whole(line.impressions), columns.impressions, y)
    if (line.cpm !== null) writeRight(sheet, price(line.cpm), columns.cpm, y)
    for (const part of name) {
      write(sheet, part, PAGE.left, y)
      y += 13
    }
    if (line.late) {
      write(sheet, words.late, PAGE.left, y, { size: 8, color: MUTED })
      y += 12
    }
    y += 5
  }

  // Sums.
  const { tax } = document
  const percent = (value: number) => new Intl.NumberFormat(document.language, { maximumFractionDigits: 2 }).format(value)
  const sums: readonly (readonly [string, string, boolean])[] = [
    ...(tax === null || tax.included
      ? []
      : [
          [words.subtotal, amount(document.subtotal), false] as const,
          [`${words.tax} ${percent(tax.percent)} %`, amount(tax.amount), false] as const,
        ]),
    [`${words.total} (${document.currency})`, amount(document.total), true],
    ...(tax === null || !tax.included
      ? []
      : [[`${words.taxIncluded} ${percent(tax.percent)} %`, amount(tax.amount), false] as const]),
    ...document.payments.map(
      (one) => [`${words.payments[one.type]}, ${day(one.date)}`, `−${amount(one.amount)}`, false] as const,
    ),
    ...(document.kind === 'credit_note' || document.mark === 'void' || document.mark === 'draft'
      ? []
      : [[words.balanceDue, amount(document.balanceDue), true] as const]),
  ]
  room(12 + sums.length * 17)
  rule()
  y += 9
  for (const [name, value, bold] of sums) {
    room(17)
    writeRight(sheet, name, right - AMOUNT_WIDTH, y, bold ? { bold } : { color: MUTED })
    writeRight(sheet, value, right, y, { bold })
    y += 17
  }

  if (document.kind === 'invoice')
    for (const [name, value] of howToPay(document.seller, words)) {
      const parts = wrapped(sheet, value, INNER - AMOUNT_WIDTH)
      room(14 * parts.length + 6)
      y += 6
      write(sheet, name, PAGE.left, y, { color: MUTED })
      for (const part of parts) {
        write(sheet, part, PAGE.left + AMOUNT_WIDTH, y)
        y += 14
      }
    }

  const remarks = [document.note, document.mark === 'void' ? `${words.voided}: ${document.comment}` : ''].filter(
    (text) => text !== '',
  )
  for (const text of remarks) {
    y += 10
    for (const part of wrapped(sheet, text, INNER)) {
      room(14)
      write(sheet, part, PAGE.left, y, { color: MUTED })
      y += 14
    }
  }

  // Page numbers and watermarks, once the number of pages is known.
  const { count } = sheet.bufferedPageRange()
  for (let page = 0; page < count; page++) {
    sheet.switchToPage(page)
    writeRight(sheet, `${page + 1} / ${count}`, right, PAGE.height - 36, { size: 8.5, color: MUTED })
    write(sheet, document.number ?? words.draft, PAGE.left, PAGE.height - 36, { size: 8.5, color: MUTED })
    if (document.mark !== null) {
      sheet
        .save()
        .opacity(0.12)
        .rotate(-45, { origin: [PAGE.width / 2, PAGE.height / 2] })
      const text = words.marks[document.mark]
      const style = { size: 96, bold: true, color: document.mark === 'void' ? '#b91c1c' : '#374151' }
      write(sheet, text, (PAGE.width - widthOf(sheet, text, style)) / 2, PAGE.height / 2 - 60, style)
      sheet.restore()
    }
  }
}

/** How the seller is paid, as far as it is known. */
const howToPay = (seller: Seller, words: Words): readonly (readonly [string, string])[] =>
  (
    [
      [words.bank, seller.bank_name],
      [words.account, seller.bank_account],
      [words.bankCode, seller.bank_code],
      [words.payOnline, seller.payment_link],
      [words.terms, seller.payment_terms],
    ] as const
  ).filter(([, value]) => value !== '')

function party(sheet: Sheet, title: string, one: Party, top: number, language: InvoiceDocument['language'], words: Words) {
  const { name, legal_entity_name: legal, tin_number: tin } = one
  let y = top
  write(sheet, title, PAGE.left, y, { size: 8.5, color: MUTED })
  y += 14
  for (const part of wrapped(sheet, legal === '' ? name : legal, INNER / 2 - 10, { bold: true })) {
    write(sheet, part, PAGE.left, y, { bold: true })
    y += 14
  }
  const more = [
    legal === '' || legal === name ? '' : name,
    one.address_line_1,
    one.address_line_2,
    [one.postal_code, one.city].filter((text) => text !== '').join(' '),
    countryName(one.country, language),
    tin === '' ? '' : `${words.tin} ${tin}`,
    one.email,
  ].filter((text) => text !== '')
  for (const text of more)
    for (const part of wrapped(sheet, text, INNER / 2 - 10)) {
      write(sheet, part, PAGE.left, y)
      y += 14
    }
  return y
}

const countryName = (code: string, language: InvoiceDocument['language']): string =>
  // A text that is no code is refused when it is saved; a preview shows it as it is.
  !/^[A-Z]{2}$/.test(code) ? code : (new Intl.DisplayNames([language], { type: 'region', fallback: 'code' }).of(code) ?? code)
