/** The header of one MPEG audio layer III frame. */
export type Mp3Frame = {
  /** 1 for MPEG-1; 2 for MPEG-2 and MPEG-2.5, which share their layout. */
  readonly mpeg: 1 | 2
  readonly hertz: number
  /** Bytes of the whole frame, header included. */
  readonly size: number
  /** Samples of each channel. */
  readonly samples: number
  /** Bytes between the header and the audio itself, where encoders hide their notes. */
  readonly sideInfo: number
}

const KBITS = {
  1: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const
const HERTZ = [44_100, 48_000, 32_000]
/** By the version bits: MPEG-2.5, a reserved value, MPEG-2, MPEG-1. */
const RATE_DIVISORS = [4, undefined, 2, 1]
const LAYER_3 = 1
const MONO = 3
const RESERVED_EMPHASIS = 2

/** Null when no layer III frame of a known bitrate begins at `at`. The caller checks that the frame is complete. */
export function readMp3Frame(bytes: Buffer, at: number): Mp3Frame | null {
  if (at + 4 > bytes.length) return null
  const header = bytes.readUInt32BE(at)
  if (header >>> 21 !== 0x7ff || ((header >>> 17) & 3) !== LAYER_3 || (header & 3) === RESERVED_EMPHASIS) return null
  const divisor = RATE_DIVISORS[(header >>> 19) & 3]
  const fullRate = HERTZ[(header >>> 10) & 3]
  if (divisor === undefined || fullRate === undefined) return null
  const mpeg = divisor === 1 ? 1 : 2
  // Index 0 is a rate known to the encoder only, 15 is forbidden: both fall off the table.
  const kbits = KBITS[mpeg][((header >>> 12) & 15) - 1]
  if (kbits === undefined) return null
  const hertz = fullRate / divisor
  const samples = mpeg === 1 ? 1152 : 576
  const padding = (header >>> 9) & 1
  const isMono = ((header >>> 6) & 3) === MONO
  return {
    mpeg,
    hertz,
    samples,
    size: Math.floor((samples * kbits * 125) / hertz) + padding,
    sideInfo: mpeg === 1 ? (isMono ? 17 : 32) : isMono ? 9 : 17,
  }
}
