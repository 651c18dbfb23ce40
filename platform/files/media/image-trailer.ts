import { boxSize } from './containers.ts'

/**
 * Whether these bytes, zeros before them included, are what phones write behind an image: the video of a motion photo, blocks of
 * Samsung's camera, or notes of Huawei's, vivo's, and OPPO's.
 */
export const isPhoneTrailer = (bytes: Buffer): boolean =>
  isSamsung(bytes) || isVivo(bytes) || isOppo(bytes) || isMotionVideo(bytes)

/** Twelve bytes for each block, behind its own twelve. */
const DIRECTORY = { head: 12, entry: 12 }
const SAMSUNG_END = 8

/** Blocks, then a directory of them with its size: `SEFH`, its entries, `SEFT`. */
function isSamsung(bytes: Buffer): boolean {
  const end = bytes.length - SAMSUNG_END
  if (end < DIRECTORY.head || bytes.toString('latin1', end + 4) !== 'SEFT') return false
  const start = end - bytes.readUInt32LE(end)
  if (start < 0 || bytes.toString('latin1', start, start + 4) !== 'SEFH') return false
  return end - start === DIRECTORY.head + DIRECTORY.entry * bytes.readUInt32LE(start + 8)
}

const VIVO_END = Buffer.from('ffffffff1b2a39485766758493a2b1', 'hex')
const isVivo = (bytes: Buffer): boolean =>
  bytes.subarray(-VIVO_END.length).equals(VIVO_END) && (bytes.includes('streamdata') || bytes.includes('vivo{"'))

const OPPO_END = 8
/** JSON, and behind it a name and the number of bytes of both. */
function isOppo(bytes: Buffer): boolean {
  const end = bytes.length - OPPO_END
  if (end < 0 || bytes.toString('latin1', end, end + 4) !== 'jxrs') return false
  const size = bytes.readUInt32LE(end + 4)
  return size > OPPO_END && size <= bytes.length
}

const HUAWEI = /^v\d_f\d[ -~]*LIVE_\d+ *$/

/** An MP4 of whole boxes; behind it nothing but zeros, or its own trailer. */
function isMotionVideo(bytes: Buffer): boolean {
  let at = bytes.indexOf('ftyp') - 4
  if (at < 0 || bytes.subarray(0, at).some((byte) => byte !== 0)) return false
  while (at + 8 <= bytes.length && /^[a-z0-9]{4}$/i.test(bytes.toString('latin1', at + 4, at + 8))) {
    const size = boxSize(bytes, at)
    if (size === null || at + size > bytes.length) break
    at += size
  }
  const rest = bytes.subarray(at)
  return rest.every((byte) => byte === 0) || isSamsung(rest) || HUAWEI.test(rest.toString('latin1'))
}
