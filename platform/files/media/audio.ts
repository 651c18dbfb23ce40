import { type Mp3Frame, readMp3Frame } from './mp3-frame.ts'
import { endOfAudio, startOfAudio } from './mp3-tags.ts'

/** Fewer frames than this (under a tenth of a second) are an accident, not a recording. */
const MIN_FRAMES = 3

/**
 * Null unless the bytes are a whole MP3: besides tags and zero padding only layer III frames of one sample rate, contiguous. A last
 * frame that is cut short does not count, as players leave it out. The duration in seconds is counted from the frames, regardless
 * of the header; samples that the encoder added before and after the sound do not count where it noted them. Never rejects.
 */
export async function inspectMp3(bytes: Buffer): Promise<{ readonly seconds: number } | null> {
  const end = endOfAudio(bytes)
  const start = skipZeros(bytes, startOfAudio(bytes), end)
  const first = readMp3Frame(bytes, start)
  if (first === null) return null
  const notes = encoderNotes(bytes, start, first)
  let frames = 0
  let at = notes === null ? start : start + first.size
  let frame = readMp3Frame(bytes, at)
  for (; frame !== null && at + frame.size <= end; frame = readMp3Frame(bytes, at)) {
    if (!isLike(frame, first)) return null
    frames += 1
    at += frame.size
  }
  const isCut = at < end && (frame === null ? end - at < HEADER_BYTES && bytes[at] === 0xff : isLike(frame, first))
  // Some encoders count the frame of their own notes, so one missing frame is no loss.
  const isWhole = (isCut || skipZeros(bytes, at, end) >= end) && frames + (isCut ? 2 : 1) >= (notes?.frames ?? 0)
  const samples = frames * first.samples - (notes?.trimmed ?? 0)
  return isWhole && frames >= MIN_FRAMES && samples > 0 ? { seconds: samples / first.hertz } : null
}

const HEADER_BYTES = 4
const isLike = (frame: Mp3Frame, first: Mp3Frame): boolean => frame.hertz === first.hertz && frame.mpeg === first.mpeg

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
  // The number of frames, that of bytes, a table of places and the quality stand there where their flags are set.
  const encoder = 8 + [4, 4, 100, 4].reduce((sum, size, bit) => sum + (((flags >>> bit) & 1) === 1 ? size : 0), 0)
  const hasTrim = xing.length >= encoder + 24 && /^(LAME|L3\.9|Lav[cf])/.test(xing.toString('latin1', encoder, encoder + 4))
  // Twelve bits before the sound, twelve after it.
  const trim = hasTrim ? xing.readUIntBE(encoder + 21, 3) : 0
  return { frames, trimmed: (trim >>> 12) + (trim & 0xfff) }
}
