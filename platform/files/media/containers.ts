/** Whole boxes from the first byte to the last, an index and pictures among them: what a cut or padded MP4 does not have. */
export function isWholeMp4(bytes: Buffer): boolean {
  const names = new Set<string>()
  let at = 0
  while (at + 8 <= bytes.length) {
    const size = boxSize(bytes, at)
    if (size === null || at + size > bytes.length) return false
    names.add(bytes.toString('latin1', at + 4, at + 8))
    at += size
  }
  return at === bytes.length && names.has('ftyp') && names.has('moov') && (names.has('mdat') || names.has('moof'))
}

/** Bytes of the box of an MP4 that begins at `at`; null for sizes that hold not even their own header. */
export function boxSize(bytes: Buffer, at: number): number | null {
  const size = bytes.readUInt32BE(at)
  // A box may leave its size open when it is the last one.
  if (size === 0) return bytes.length - at
  if (size >= 8) return size
  if (size !== 1 || at + 16 > bytes.length) return null
  const large = Number(bytes.readBigUInt64BE(at + 8))
  return large >= 16 ? large : null
}

const EBML = 0x1a45dfa3
const SEGMENT = 0x18538067
const CLUSTER = 0x1f43b675

/**
 * A header, then one segment that ends where the file does, holding whole elements, a cluster of pictures among them. Live
 * recordings leave sizes open: after that a cut cannot be detected.
 */
export function isWholeWebm(bytes: Buffer): boolean {
  const header = readElement(bytes, 0)
  if (header === null || header.id !== EBML || header.end === null) return false
  const segment = readElement(bytes, header.end)
  if (segment === null || segment.id !== SEGMENT || (segment.end ?? bytes.length) !== bytes.length) return false
  let hasPictures = false
  for (let at = segment.start; at < bytes.length;) {
    const child = readElement(bytes, at)
    if (child === null || (child.end !== null && child.end > bytes.length)) return false
    hasPictures ||= child.id === CLUSTER
    if (child.end === null) break
    at = child.end
  }
  return hasPictures
}

/** `end` is null for an open size. */
type Element = { readonly id: number; readonly start: number; readonly end: number | null }

function readElement(bytes: Buffer, at: number): Element | null {
  const idLength = numberLength(bytes, at)
  const sizeLength = numberLength(bytes, at + idLength)
  const start = at + idLength + sizeLength
  if (idLength < 1 || idLength > 4 || sizeLength < 1 || start > bytes.length) return null
  const id = bytes.readUIntBE(at, idLength)
  // The leading bit only encodes the length.
  const digits = BigInt(`0x${bytes.toString('hex', at + idLength, start)}`)
  const size = digits - (1n << BigInt(7 * sizeLength))
  const isOpen = size === (1n << BigInt(7 * sizeLength)) - 1n
  return { id, start, end: isOpen ? null : start + Number(size) }
}

/** EBML numbers tell their length, 1 to 8 bytes, by the zeros they begin with; 9 is no length. */
const numberLength = (bytes: Buffer, at: number): number => Math.clz32(bytes[at] ?? 0) - 23
