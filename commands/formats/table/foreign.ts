/** Files that are no text, by name: what to do with them differs. */
export type ForeignFile = 'workbook' | 'oldWorkbook' | 'pdf' | 'archive' | 'binary'

const SIGNATURES: readonly (readonly [file: ForeignFile, bytes: readonly number[]])[] = [
  // Excel workbooks (.xlsx), and other zip files that one may take for a table.
  ['workbook', [0x50, 0x4b, 0x03, 0x04]],
  ['oldWorkbook', [0xd0, 0xcf, 0x11, 0xe0]],
  ['pdf', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['archive', [0x1f, 0x8b]],
  ['archive', [0x37, 0x7a, 0xbc, 0xaf]],
  ['archive', [0x52, 0x61, 0x72, 0x21]],
  ['binary', [0x89, 0x50, 0x4e, 0x47]],
  ['binary', [0xff, 0xd8, 0xff]],
]

/** Kind of a file by its first bytes; null for text. */
export const foreignFile = (bytes: Uint8Array): ForeignFile | null =>
  SIGNATURES.find(([, signature]) => signature.every((byte, at) => bytes[at] === byte))?.[0] ?? null
