/** Bytes of a text in the encodings that spreadsheets save. */
export type Encode = (text: string) => Uint8Array

function codePage(name: 'windows-1251' | 'windows-1252'): Encode {
  const decoder = new TextDecoder(name)
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte), { stream: true }), byte] as const),
  )
  return (text) =>
    Uint8Array.from(text, (letter) => {
      const byte = bytes.get(letter)
      if (byte === undefined) throw new Error(`${name} has no ${letter}`)
      return byte
    })
}

const swapped = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'utf16le').swap16())

export const ENCODERS = {
  'UTF-8': (text) => new Uint8Array(Buffer.from(text)),
  'UTF-8 with its mark': (text) => new Uint8Array(Buffer.from(`\u{feff}${text}`)),
  'UTF-16LE': (text) => new Uint8Array(Buffer.from(text, 'utf16le')),
  'UTF-16LE with its mark': (text) => new Uint8Array(Buffer.from(`\u{feff}${text}`, 'utf16le')),
  'UTF-16BE': swapped,
  'UTF-16BE with its mark': (text) => swapped(`\u{feff}${text}`),
  'Windows-1251': codePage('windows-1251'),
  'Windows-1252': codePage('windows-1252'),
} as const satisfies Readonly<Record<string, Encode>>
