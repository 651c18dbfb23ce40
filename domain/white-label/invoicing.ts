import { isAddress, isPublicAddress } from '../campaign/content/destinations.ts'
import { FULL_RATE, isTaxRate, NO_TAX, TAX_MODES, type TaxTerms } from '../invoice/tax.ts'
import type { Fault } from '../kit/errors.ts'
import { isEmail } from '../kit/validators.ts'

/** Texts on the invoices of a white-label: the seller, how to pay, and the tax. Empty texts are not printed. */
export type Invoicing = TaxTerms & {
  /** Empty for that of the white-label's own account. */
  readonly legal_name: string
  readonly address_line_1: string
  readonly address_line_2: string
  readonly city: string
  readonly postal_code: string
  /** ISO 3166-1 alpha-2, or empty. */
  readonly country: string
  readonly tax_number: string
  readonly email: string
  readonly bank_name: string
  /** IBAN, or the number of the account. */
  readonly bank_account: string
  /** BIC, or another code of the bank. */
  readonly bank_code: string
  readonly payment_link: string
  /** May have several lines. */
  readonly payment_terms: string
}

export const DEFAULT_INVOICING: Invoicing = {
  legal_name: '',
  address_line_1: '',
  address_line_2: '',
  city: '',
  postal_code: '',
  country: '',
  tax_number: '',
  email: '',
  bank_name: '',
  bank_account: '',
  bank_code: '',
  payment_link: '',
  payment_terms: '',
  ...NO_TAX,
}

/** Fields that say whom and where customers pay: with a limit of money by hand, a second person confirms them (fine print 63). */
export const PAID_BY = ['legal_name', 'bank_name', 'bank_account', 'bank_code', 'payment_link', 'payment_terms'] as const

/** Longest texts, characters. */
export const INVOICING_LIMITS = {
  legal_name: 300,
  address_line_1: 300,
  address_line_2: 300,
  city: 100,
  postal_code: 20,
  country: 2,
  tax_number: 100,
  email: 320,
  bank_name: 300,
  bank_account: 64,
  bank_code: 32,
  payment_link: 2000,
  payment_terms: 1000,
} as const
export type InvoicingText = keyof typeof INVOICING_LIMITS
export const INVOICING_TEXTS = Object.keys(INVOICING_LIMITS) as readonly InvoicingText[]

const MESSAGES = {
  required: 'Field is required.',
  maxLength: 'Maximum {max} characters allowed!',
  hidden: 'The text must not hold line breaks or hidden characters',
  publicUrl: 'Enter a public web address, without a user name, backslash or hidden character',
  notAllowed: 'This value is not one of those allowed',
  email: 'Enter a valid email address',
  outOfRange: 'Enter a number between {min} and {max}',
} as const

function wrong(field: string, key: keyof typeof MESSAGES, params?: Fault['params']): Fault {
  const message = MESSAGES[key].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params?.[name] ?? ''))
  const path = `invoicing.${field}`
  return params === undefined ? { path, code: 2, message, key } : { path, code: 2, message, key, params }
}

/** Invisible characters, and those that reorder the text around them. */
const HIDDEN = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u

/** Whether a text can stand on one line of a document. */
export const isPlainLine = (text: string): boolean => !HIDDEN.test(text)

export const isCountryCode = (text: string): boolean => /^[A-Z]{2}$/.test(text)

/** Sent values, without spaces around texts; a rate without a tax is 0. */
export function tidiedInvoicing(sent: Partial<Invoicing>, present: Invoicing): Invoicing {
  const texts = Object.fromEntries(
    INVOICING_TEXTS.map((field) => [field, (sent[field] ?? present[field]).replaceAll('\r\n', '\n').trim()]),
  ) as Pick<Invoicing, InvoicingText>
  const tax_mode = sent.tax_mode ?? present.tax_mode
  return {
    ...texts,
    country: texts.country.toUpperCase(),
    tax_mode,
    tax_rate: tax_mode === 'none' ? 0 : (sent.tax_rate ?? present.tax_rate),
  }
}

/** Everything that is wrong; paths begin with `invoicing.`. */
export function invoicingFaults(invoicing: Invoicing): readonly Fault[] {
  const { country, email, payment_link: link, payment_terms: terms, tax_mode: mode, tax_rate: rate } = invoicing
  return [
    ...INVOICING_TEXTS.flatMap((field) => {
      const max = INVOICING_LIMITS[field]
      if (invoicing[field].length > max) return [wrong(field, 'maxLength', { max })]
      const lines = field === 'payment_terms' ? terms.split('\n') : [invoicing[field]]
      return lines.every(isPlainLine) ? [] : [wrong(field, 'hidden')]
    }),
    ...(country === '' || country.length > 2 || isCountryCode(country) ? [] : [wrong('country', 'notAllowed')]),
    ...(email === '' || isEmail(email) ? [] : [wrong('email', 'email')]),
    ...(link === '' || (isAddress(link, false) && isPublicAddress(link)) ? [] : [wrong('payment_link', 'publicUrl')]),
    ...(TAX_MODES.includes(mode) ? [] : [wrong('tax_mode', 'notAllowed')]),
    ...(isTaxRate(mode, rate) ? [] : [wrong('tax_rate', 'outOfRange', { min: 1, max: FULL_RATE })]),
    // A seller who charges a tax names the number under which it is paid.
    ...(mode !== 'none' && invoicing.tax_number === '' ? [wrong('tax_number', 'required')] : []),
  ]
}
