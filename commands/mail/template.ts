import type { Language } from '#domain/kit/languages'
import { isolated } from '#domain/kit/text'
import type { MailText } from './layout.ts'

/** Values of every template. `link` is the address of the page that the mail leads to. */
export type MailValues = {
  readonly firstName: string
  readonly brand: string
  readonly link: string
  /** Values queued with the mail. */
  readonly data: Readonly<Record<string, string | number>>
}

/** Recipients that a mail is for; for all others it is dropped when it is about to be sent. */
export type Recipients = 'everyone' | 'active' | 'awaiting-completion'

export type MailTemplate = {
  readonly for: Recipients
  /** Path of the page that the mail leads to, which may depend on its data; with `key` a new key is added to it. */
  readonly path: string | ((data: MailValues['data']) => string)
  readonly key?: KeyPurpose
  /** Goes to addresses outside the person records too. */
  readonly outsiders?: true
  /** The document that the mail carries: an invoice by the id in its data, or the file of a report that was queued with it. */
  readonly attachment?: 'invoice' | 'report'
  readonly texts: Readonly<Record<Language, (values: MailValues) => MailText>>
}
export type KeyPurpose = 'confirmation' | 'reset'

/** The same values where names of other scripts move nothing in the sentences around them. */
export const isolatedValues = ({ firstName, brand, link, data }: MailValues): MailValues => ({
  firstName: isolated(firstName),
  brand: isolated(brand),
  link,
  data: Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, typeof value === 'string' ? isolated(value) : value]),
  ),
})

/** `Hello Ada,` or `Hello,` for someone without a name. */
export const helloEn = ({ firstName }: MailValues): string => (firstName === '' ? 'Hello,' : `Hello ${firstName},`)
export const helloRu = ({ firstName }: MailValues): string => (firstName === '' ? 'Здравствуйте!' : `Здравствуйте, ${firstName}!`)

/** An instant of the mail's data in words, UTC. */
export function instantOf(value: string | number | undefined, language: Language): string {
  const time = new Date(value ?? Number.NaN)
  if (Number.isNaN(time.getTime())) return ''
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return `${format.format(time)} UTC`
}

/** An amount of the mail's data in words; without a known currency, the number alone. */
export function moneyOf(amount: string | number | undefined, currency: string | number | undefined, language: Language): string {
  const code = textOf(currency)
  const value = Number(amount ?? 0)
  if (!/^[A-Z]{3}$/.test(code)) return String(value)
  return new Intl.NumberFormat(language, { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' }).format(value)
}

export const textOf = (value: string | number | undefined): string => String(value ?? '')
