/** Generic validators of form fields (platform.md §5, decisions G-187 and G-188). The contract and the forms share them. */

/** Most characters of name-like fields. */
export const NAME_LENGTH = 300
const SHORTEST_NAME = 2

/** Letters and digits of any script, and the signs that RFC 5322 allows without quotes. */
const LOCAL_PART = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const DOMAIN = /^(?=.{1,253}$)([\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}][\p{L}\p{N}-]{0,61}[\p{L}\p{N}]$/u

/** An address of one mailbox. No display name, no quotes, no IP address as its domain. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)]
  return at > 0 && text.length <= 254 && local.length <= 64 && LOCAL_PART.test(local) && DOMAIN.test(domain)
}

export const isUrl = (text: string): boolean => URL.canParse(text) && /^https?:\/\//i.test(text)
export const isHttpsUrl = (text: string): boolean => URL.canParse(text) && /^https:\/\//i.test(text)
export const isDigits = (text: string): boolean => /^\d+$/.test(text)

/** An optional plus and 7 to 15 digits; spaces and dashes are ignored (decisions G-187). */
export const isPhone = (text: string): boolean => /^\+?\d{7,15}$/.test(plainPhone(text))
export const plainPhone = (text: string): string => text.replace(/[\s-]/g, '')

/** Printable ASCII: letters, digits and symbols, with spaces between them. */
export const isAlphanumericOrSymbols = (text: string): boolean => /^[\x20-\x7e]+$/.test(text)

/** Controls, line breaks, and signs that change the direction of the text around them. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u
const ADDRESS_SIGNS = /[:/\\@<>]|\bwww\./iu
/** A word, a dot and what looks like a domain: mail programs make a link of it. */
const BARE_DOMAIN = /[\p{L}\p{N}]{2}\.\p{L}{2}/u

/** A letter, digit, mark of writing or symbol with its own shape. */
const VISIBLE = /(?=[\p{L}\p{N}\p{P}\p{S}])[^\p{DI}\u2800]/u

/** A name that others see: it shows, unless it is empty, and must not hide or reorder the text around it. */
export const isShownName = (text: string): boolean => !UNPRINTABLE.test(text) && (text.trim() === '' || VISIBLE.test(text))

/** A name of a person or company that cannot pass for an address or a message of someone else: it stands in mails and lists. */
export const isPlainName = (text: string): boolean => isShownName(text) && !ADDRESS_SIGNS.test(text)
/** A name of a person, which no domain needs to be part of. */
export const isPersonName = (text: string): boolean => isPlainName(text) && !BARE_DOMAIN.test(text)

/** Lengths count characters as users see them in most scripts: code points, without the spaces around. */
const lengthOf = (text: string): number => [...text.trim()].length
export const isLongEnough = (text: string, least = SHORTEST_NAME): boolean => lengthOf(text) >= least
export const isShortEnough = (text: string, most = NAME_LENGTH): boolean => lengthOf(text) <= most

export const isAtLeast = (value: number, least: number): boolean => value >= least

type Size = { readonly width: number; readonly height: number }
/** `image` has no size where it is no image. */
export const hasSize = (
  image: { readonly width: number | null; readonly height: number | null },
  { width, height }: Size,
): boolean => image.width === width && image.height === height

/** False for an empty value where one is required. */
export const isGivenIf = (isRequired: boolean, value: string | null | undefined): boolean =>
  !isRequired || (value ?? '').trim() !== ''
