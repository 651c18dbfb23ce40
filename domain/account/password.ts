/** The rule of new passwords (platform.md §5, decisions G-171 and G-172). */

/**
 * Why a new password is refused: too weak, contains a name of its owner, is commonly used and known from data breaches, or is the one
 * that it replaces.
 */
export type PasswordFault = 'weak' | 'personal' | 'common' | 'same'

export const PASSWORD_TEXTS: Readonly<Record<PasswordFault | 'mismatch', string>> = {
  mismatch: 'Passwords do not match',
  // Two spaces after the colon, as specified.
  weak: 'Password should be at least 8 characters and contain 1 each of the following characters types:  number, uppercase, and special symbols.',
  personal: 'Password should not contain any of your personal information-specifically real name, company name.',
  common: 'This password is widely used and known from data breaches. Please choose another one.',
  same: 'The new password must differ from the old one.',
}

/** Code units. */
export const MOST_PASSWORD_LENGTH = 1000

/** Names that a password must not contain; empty ones do not count. */
export type PasswordOwner = { readonly first_name: string; readonly last_name: string; readonly company_name: string }

/**
 * The first fault of a new password, or null. `isCommon` tells whether a lower-case text is a widely used password; without it that
 * is not checked.
 */
export function passwordFault(
  password: string,
  owner: PasswordOwner | null,
  isCommon: (text: string) => boolean = () => false,
): PasswordFault | null {
  if (!isStrong(password)) return 'weak'
  if (owner !== null && containsName(password, owner)) return 'personal'
  return commonForms(password).some(isCommon) ? 'common' : null
}

/** Requirements of a strong password. Screens show which parts a typed password has. */
export const STRENGTH = {
  length: (password: string) => [...password].length >= 8,
  number: (password: string) => /\p{Nd}/u.test(password),
  upper: (password: string) => /\p{Lu}/u.test(password),
  symbol: (password: string) => /[^\p{L}\p{N}\s]/u.test(password),
} as const

const isStrong = (password: string): boolean => Object.values(STRENGTH).every((holds) => holds(password))

function containsName(password: string, { first_name, last_name, company_name }: PasswordOwner): boolean {
  // `WalkCo#2026` holds the name of Walk Co.
  const text = unspaced(password)
  return [first_name, last_name, company_name].map(unspaced).some((name) => name !== '' && text.includes(name))
}

const unspaced = (text: string): string => folded(text).replaceAll(/[\s._-]+/gu, '')
const folded = (text: string): string => text.normalize('NFKC').toLowerCase()

/** The password itself, and the word it is made from when digits and symbols are only put around it: `Dragon#2026` is `dragon`. */
function commonForms(password: string): readonly string[] {
  const text = folded(password)
  const word = text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  return word.length >= 5 ? [text, word] : [text]
}
