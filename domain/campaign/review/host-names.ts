/** Appearance of the host of an address to a reader (fine print 104). */

/** The host of an http or https address as browsers read it, without a port; null without one. */
export function hostOf(address: string): string | null {
  const authority = /^\s*https?:[\\/]+([^\\/?#]*)/i.exec(address)?.[1] ?? ''
  const host = authority
    .slice(authority.lastIndexOf('@') + 1)
    .replace(/:\d*$/, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\.$/, '')
  return host === '' ? null : host
}

/** True for an IPv4 or IPv6 address, also in the short and hexadecimal forms that browsers accept. */
export const isIpHost = (host: string): boolean => host.startsWith('[') || /(?:^|\.)(?:\d+|0x[\da-f]*)$/.test(host)

/** True when both are one host, or one is below the other; `www.` is no difference. */
export function isSameSite(a: string, b: string): boolean {
  const [one, other] = [a.replace(/^www\./, ''), b.replace(/^www\./, '')]
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`)
}

/** Letters of other scripts that look like Latin ones. */
const CONFUSABLE = /^[асеорхуѕіјһԁԛԝӏвкмнтгзαβγεηικνορτυχω\d-]+$/u

/**
 * True for a name that can pass for another one: letters of several alphabets in one label, a label of letters that look Latin before
 * a Latin ending, or Punycode that cannot be decoded.
 */
export function isLookAlike(host: string): boolean {
  const labels = host.split('.').map((label) => (label.startsWith('xn--') ? decoded(label.slice(4)) : label))
  if (labels.includes(null)) return true
  const isLatinEnding = /^[a-z\d-]*$/.test(labels.at(-1) ?? '')
  return labels.some((label) => {
    const text = label ?? ''
    const alphabets = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u].filter((script) => script.test(text))
    return alphabets.length > 1 || (isLatinEnding && /[^\0-\x7f]/.test(text) && CONFUSABLE.test(text))
  })
}

/** A label of Punycode without its prefix (RFC 3492); null for what is none. Labels have at most 63 characters. */
function decoded(label: string): string | null {
  if (label.length > 63) return null
  const border = label.lastIndexOf('-')
  const output = border > 0 ? Array.from(label.slice(0, border), (letter) => letter.codePointAt(0) ?? 0) : []
  let [code, bias, index] = [128, 72, 0]
  let at = border > 0 ? border + 1 : 0
  while (at < label.length) {
    const before = index
    for (let weight = 1, k = 36; ; k += 36) {
      const digit = digitOf(label[at])
      at += 1
      if (digit === null) return null
      index += digit * weight
      const threshold = Math.min(26, Math.max(1, k - bias))
      if (digit < threshold) break
      weight *= 36 - threshold
    }
    const size = output.length + 1
    bias = adapted(index - before, size, before === 0)
    code += Math.floor(index / size)
    index %= size
    if (code > 0x10ffff) return null
    output.splice(index, 0, code)
    index += 1
  }
  return String.fromCodePoint(...output)
}

function digitOf(letter: string | undefined): number | null {
  if (letter === undefined || !/^[a-z\d]$/.test(letter)) return null
  const digit = Number.parseInt(letter, 36)
  return digit < 10 ? digit + 26 : digit - 10
}

function adapted(delta: number, size: number, isFirst: boolean): number {
  let rest = Math.floor(isFirst ? delta / 700 : delta / 2)
  rest += Math.floor(rest / size)
  let k = 0
  for (; rest > 455; k += 36) rest = Math.floor(rest / 35)
  return k + Math.floor((36 * rest) / (rest + 38))
}
