const APE = 'APETAGEX'
const APE_BYTES = 32
const ID3V2_BYTES = 10

const textAt = (bytes: Buffer, start: number, length: number): string =>
  start < 0 ? '' : bytes.toString('latin1', start, start + length)

/** Past every ID3v2 and APE tag at the beginning: some programs put a new one before the old. */
export function startOfAudio(bytes: Buffer): number {
  let at = 0
  for (let size = tagAt(bytes, at); size > 0; size = tagAt(bytes, at)) at += size
  return at
}

/** Bytes of the tag that begins here; 0 when none does. */
function tagAt(bytes: Buffer, at: number): number {
  if (at + ID3V2_BYTES <= bytes.length && textAt(bytes, at, 3) === 'ID3') {
    const hasFooter = (bytes.readUInt8(at + 5) & 0x10) !== 0
    return ID3V2_BYTES + id3Size(bytes, at + 6) + (hasFooter ? ID3V2_BYTES : 0)
  }
  if (at + APE_BYTES <= bytes.length && textAt(bytes, at, 8) === APE) return APE_BYTES + bytes.readUInt32LE(at + 12)
  return 0
}

/** Seven bits per byte, so that a size never resembles a frame. */
const id3Size = (bytes: Buffer, at: number): number =>
  [0, 1, 2, 3].reduce((sum, index) => sum * 128 + (bytes.readUInt8(at + index) & 0x7f), 0)

/** Where a tag begins that ends at `end`; null when none does. */
type TagEnd = (bytes: Buffer, end: number) => number | null

/** Before all tags at the end, whatever their order. */
export function endOfAudio(bytes: Buffer): number {
  let end = bytes.length
  for (let tag = tagBefore(bytes, end); tag !== null; tag = tagBefore(bytes, end)) end = tag
  return end
}

function tagBefore(bytes: Buffer, end: number): number | null {
  for (const tag of TAG_ENDS) {
    const start = tag(bytes, end)
    if (start !== null && start < end) return Math.max(0, start)
  }
  return null
}

const fixed =
  (name: string, size: number): TagEnd =>
  (bytes, end) =>
    textAt(bytes, end - size, name.length) === name ? end - size : null

const TAG_ENDS: readonly TagEnd[] = [fixed('TAG', 128), fixed('TAG+', 227), ape, id3v2, lyrics]

function ape(bytes: Buffer, end: number): number | null {
  const footer = end - APE_BYTES
  if (textAt(bytes, footer, 8) !== APE) return null
  const hasHeader = (bytes.readUInt32LE(footer + 20) & 0x8000_0000) !== 0
  return end - bytes.readUInt32LE(footer + 12) - (hasHeader ? APE_BYTES : 0)
}

/** Tags of version 2.4 may stand at the end, with a footer like their header. */
function id3v2(bytes: Buffer, end: number): number | null {
  const footer = end - ID3V2_BYTES
  return textAt(bytes, footer, 3) === '3DI' ? footer - id3Size(bytes, footer + 6) - ID3V2_BYTES : null
}

const LYRICS_BYTES = 1_000_000
/** Lyrics3 of both versions. The first notes no size, and programs note a wrong one in the second: where it begins is searched. */
function lyrics(bytes: Buffer, end: number): number | null {
  if (!['LYRICS200', 'LYRICSEND'].includes(textAt(bytes, end - 9, 9))) return null
  const from = Math.max(0, end - LYRICS_BYTES)
  const start = bytes.subarray(from, end).lastIndexOf('LYRICSBEGIN')
  return start === -1 ? null : from + start
}
