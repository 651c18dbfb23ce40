import type { ZipFault } from '#commands/files/zip-fault'

const END = Buffer.from('PK\u0005\u0006', 'latin1')
const END_BYTES = 22
const FIRST_FILE = Buffer.from('PK\u0003\u0004', 'latin1')
const LOCATOR_64 = Buffer.from('PK\u0006\u0007', 'latin1')
const LOCATOR_64_BYTES = 20

/** The end record of an archive: number of entries and length of the list. Or the reason why the file is more than an archive. */
export function endOfZip(bytes: Buffer): { readonly entries: number; readonly directoryBytes: number } | ZipFault {
  const at = findEnd(bytes)
  if (at === null) return 'notAZip'
  const locator = at - LOCATOR_64_BYTES
  if (locator >= 0 && bytes.subarray(locator, locator + 4).equals(LOCATOR_64)) return 'unsupported'
  const entries = bytes.readUInt16LE(at + 10)
  const directoryBytes = bytes.readUInt32LE(at + 12)
  const directoryAt = bytes.readUInt32LE(at + 16)
  const comment = bytes.subarray(at + END_BYTES)
  const hasBytesBefore = at > 0 && !bytes.subarray(0, 4).equals(FIRST_FILE)
  const hasBytesBetween = directoryAt + directoryBytes !== at
  const hasBytesBehind = comment.length !== bytes.readUInt16LE(at + 20)
  return hasBytesBefore || hasBytesBetween || hasBytesBehind || comment.includes('<') ? 'polyglot' : { entries, directoryBytes }
}

/** The last end record, as every program finds it. */
function findEnd(bytes: Buffer): number | null {
  if (bytes.length < END_BYTES) return null
  const at = bytes.lastIndexOf(END, bytes.length - END_BYTES)
  return at < 0 ? null : at
}
