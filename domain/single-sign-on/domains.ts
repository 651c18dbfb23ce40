/** Mail domains of white-labels (fine print 84). */

/** Providers of a white-label, and mail domains. */
export const MOST_PROVIDERS = 5
export const MOST_DOMAINS = 20

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** A mail domain as it is stored: lower case, and ASCII as in the DNS. Null for what is no domain. */
export function mailDomain(text: string): string | null {
  const typed = text.trim().toLowerCase()
  // A URL's host is in the ASCII form of its name.
  const host = /^[^\s/:@?#\\%[\]]+$/.test(typed) && URL.canParse(`https://${typed}`) ? new URL(`https://${typed}`).hostname : ''
  const labels = host.split('.')
  const isDomain = host.length <= 253 && labels.length >= 2 && labels.every((label) => LABEL.test(label))
  return isDomain && !/^\d+$/.test(labels.at(-1) ?? '') ? host : null
}

/** The mail domain of an address; null where it has none. */
export function domainOfAddress(address: string): string | null {
  const at = address.lastIndexOf('@')
  return at < 1 ? null : mailDomain(address.slice(at + 1))
}

const RECORD = 'placard-verification='

/** The TXT record that proves who holds a domain. */
export const verificationRecord = (token: string): string => RECORD + token

/** Whether the TXT records of a domain hold its verification. A record may come in parts of 255 characters. */
export const isVerifiedBy = (records: readonly (readonly string[])[], token: string): boolean =>
  records.some((parts) => parts.join('').trim() === verificationRecord(token))
