import { type Mp3Frame, readMp3Frame } from './mp3-frame.ts'

/** Fewer frames than this (under a tenth of a second) are an accident, not a recording. */
const MIN_FRAMES = 3
const ID3V1_BYTES = 128
const APE_FOOTER_BYTES = 32

/**
 * Null unless the bytes are a whole MP3: besides tags and zero padding only layer III frames of one sample rate, contiguous,
 * the last one complete. The duration in seconds is counted from the frames, regardless of the header;
 * samples that the encoder added before and after the sound do not count. Never rejects.
 */
export async function inspectMp3(bytes: Buffer): Promise<{ readonly seconds: number } | null> {
  const end = endOfAudio(bytes)
  const start = skipZeros(bytes, startOfAudio(bytes), end)
  const first = readMp3Frame(bytes, start)
  if (first === null) return null
  const notes = encoderNotes(bytes, start, first)
  let frames = 0
  let at = notes === null ? start : start + first.size
  for (let frame = readMp3Frame(bytes, at); frame !== null && at + frame.size <= end; frame = readMp3Frame(bytes, at)) {
    if (frame.hertz !== first.hertz || frame.mpeg !== first.mpeg) return null
    frames += 1
    at += frame.size
  }
  // Some encoders count the frame of their own notes, so one missing frame is no loss.
  const isWhole = skipZeros(bytes, at, end) >= end && frames + 1 >= (notes?.frames ?? 0)
  const samples = frames * first.samples - (notes?.trimmed ?? 0)
  return isWhole && frames >= MIN_FRAMES && samples > 0 ? { seconds: samples / first.hertz } : null
}

/** Past every ID3v2 tag at the beginning: some programs put a new one before the old. */
function startOfAudio(bytes: Buffer): number {
  let at = 0
  while (at + 10 <= bytes.length && bytes.toString('latin1', at, at + 3) === 'ID3') {
    const hasFooter = (bytes.readUInt8(at + 5) & 0x10) !== 0
    // Seven bits per byte, so that a size never resembles a frame.
    const size = [6, 7, 8, 9].reduce((sum, index) => sum * 128 + (bytes.readUInt8(at + index) & 0x7f), 0)
    at += 10 + size + (hasFooter ? 10 : 0)
  }
  return at
}

/** Before an ID3v1 tag at the very end, and before an APE tag in front of it. */
function endOfAudio(bytes: Buffer): number {
  const id3 = bytes.length - ID3V1_BYTES
  const end = id3 >= 0 && bytes.toString('latin1', id3, id3 + 3) === 'TAG' ? id3 : bytes.length
  const footer = end - APE_FOOTER_BYTES
  if (footer < 0 || bytes.toString('latin1', footer, footer + 8) !== 'APETAGEX') return end
  const hasHeader = (bytes.readUInt32LE(footer + 20) & 0x8000_0000) !== 0
  return Math.max(0, end - bytes.readUInt32LE(footer + 12) - (hasHeader ? APE_FOOTER_BYTES : 0))
}

function skipZeros(bytes: Buffer, from: number, end: number): number {
  let at = from
  while (at < end && bytes[at] === 0) at += 1
  return at
}

type EncoderNotes = { readonly frames: number; readonly trimmed: number }

/**
 * The silent first frame in which encoders write how many frames follow (Xing, Info or VBRI) and how many samples of each channel
 * to leave out when playing (LAME and FFmpeg). Null when the first frame is sound like any other.
 */
function encoderNotes(bytes: Buffer, start: number, { sideInfo, size }: Mp3Frame): EncoderNotes | null {
  const frame = bytes.subarray(start, start + size)
  if (frame.toString('latin1', 36, 40) === 'VBRI') return { frames: frame.length < 54 ? 0 : frame.readUInt32BE(50), trimmed: 0 }
  const xing = frame.subarray(4 + sideInfo)
  if (xing.length < 12 || !['Xing', 'Info'].includes(xing.toString('latin1', 0, 4))) return null
  const flags = xing.readUInt32BE(4)
  const frames = (flags & 1) === 0 ? 0 : xing.readUInt32BE(8)
  const hasTrim = (flags & 15) === 15 && xing.length >= 144 && /^(LAME|Lav[cf])/.test(xing.toString('latin1', 120, 124))
  // Twelve bits before the sound, twelve after it.
  const trim = hasTrim ? xing.readUIntBE(141, 3) : 0
  return { frames, trimmed: (trim >>> 12) + (trim & 0xfff) }
}
