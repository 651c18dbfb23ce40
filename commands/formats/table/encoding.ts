import { analyse } from 'chardet'

/** Bytes that decide the encoding, from the first one that is not ASCII. */
const WINDOW = 64 * 1024
/** Bytes that show UTF-16. */
const SAMPLE = 4096
/** Encodings of Windows where it does not write Unicode. ISO 8859-1 is a subset of its first in the Encoding Standard. */
const CODE_PAGES: Readonly<Record<string, string>> = {
  'windows-1251': 'windows-1251',
  'windows-1252': 'windows-1252',
  'ISO-8859-1': 'windows-1252',
}
const DEFAULT_PAGE = 'windows-1252'

/**
 * Text of bytes that arrive in chunks: UTF-8 or UTF-16 with or without a byte order mark, Windows-1251 or Windows-1252. The result does
 * not depend on the chunks.
 */
export function createDecoding() {
  let decoder: TextDecoder | null = null
  let held: Uint8Array = new Uint8Array(0)
  let isStart = true

  /** The text of what is held: until a byte is not ASCII, every encoding agrees. */
  function begin(isLast: boolean): string {
    if (isStart) {
      if (held.length < SAMPLE && !isLast) return ''
      isStart = false
      const unicode = utf16(held)
      if (unicode !== null) return decode(new TextDecoder(unicode))
    }
    // One character for each byte.
    const latin = LATIN.decode(held, STREAM)
    const high = latin.search(NOT_ASCII)
    const text = high === -1 ? latin : latin.slice(0, high)
    held = held.subarray(text.length)
    if (high === -1 || (held.length < WINDOW && !isLast)) return text
    return text + decode(new TextDecoder(encodingOf(held.subarray(0, WINDOW), isLast && held.length <= WINDOW)))
  }

  function decode(by: TextDecoder): string {
    decoder = by
    const text = by.decode(held, STREAM)
    held = new Uint8Array(0)
    return text
  }

  return {
    write(chunk: Uint8Array): string {
      if (decoder !== null) return decoder.decode(chunk, STREAM)
      held = joined(held, chunk)
      return begin(false)
    },
    end(): string {
      return (decoder === null ? begin(true) : '') + (decoder?.decode() ?? '')
    },
  }
}

const LATIN = new TextDecoder('windows-1252')
const NOT_ASCII = /[^\0-\x7f]/
/** Node decodes Windows-1252 as ISO 8859-1 without it. */
const STREAM = { stream: true } as const

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b
  const bytes = new Uint8Array(a.length + b.length)
  bytes.set(a)
  bytes.set(b, a.length)
  return bytes
}

/** UTF-16 by its mark, or by the zero bytes of the letters, digits and separators of a table. */
function utf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const zeros = [0, 0]
  const sample = bytes.subarray(0, SAMPLE)
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const least = sample.length / 16
  if (odd > least && even === 0) return 'utf-16le'
  return even > least && odd === 0 ? 'utf-16be' : null
}

function encodingOf(bytes: Uint8Array, isWhole: boolean): string {
  if (isUtf8(bytes, isWhole)) return 'utf-8'
  if (isCyrillic(bytes)) return 'windows-1251'
  const [best] = analyse(bytes).flatMap(({ name }) => CODE_PAGES[name] ?? [])
  return best ?? DEFAULT_PAGE
}

/**
 * Whether words have either no letter of ASCII or no other one, which Russian has and no language of Windows-1252. The detector, which
 * counts groups of letters, needs more than a few words.
 */
function isCyrillic(bytes: Uint8Array): boolean {
  const words = LATIN.decode(bytes, STREAM).match(/[A-Za-z\u00c0-\u00ff]+/g) ?? []
  const foreign = words.filter((word) => /[\u00c0-\u00ff]/.test(word))
  return foreign.some((word) => word.length >= 3) && !foreign.some((word) => /[A-Za-z]/.test(word))
}

/** Characters beside ASCII of which one may be broken: databases cut texts within a character. */
const UNBROKEN = 10

function isUtf8(bytes: Uint8Array, isWhole: boolean): boolean {
  const text = new TextDecoder('utf-8').decode(bytes, { stream: !isWhole })
  const broken = text.split('\ufffd').length - 1
  return broken === 0 || text.replaceAll(/[\0-\x7f\ufffd]/g, '').length >= broken * UNBROKEN
}
