const KBITS = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const
const HERTZ = [44_100, 48_000, 32_000]

export type Mp3Options = {
  readonly seconds: number
  /** One value for a constant bitrate, several for a variable one that alternates frame by frame. kbit/s; default 128. */
  readonly bitrates?: readonly number[]
  /** 44,100, 48,000 and 32,000 are MPEG-1; their halves are MPEG-2. Default 44,100. */
  readonly hertz?: number
  readonly isMono?: boolean
  /** The first frame, in which an encoder stores the number of frames. Default: none. */
  readonly header?: 'Xing' | 'Info'
  /** The number of frames in that header; default: that of the frames behind it. */
  readonly counted?: number
  /** Samples that an encoder added before and after the sound, noted in the header as LAME does. */
  readonly trim?: { readonly before: number; readonly after: number }
  /** Body size of a leading ID3v2 tag, bytes. */
  readonly id3v2Bytes?: number
  readonly hasId3v1?: boolean
}

/** Silence in valid frames; as many as come closest to the length. */
export function mp3(options: Mp3Options): Buffer {
  const { seconds, bitrates = [128], hertz = 44_100, isMono = false } = options
  const count = Math.round((seconds * hertz) / (hertz >= 32_000 ? 1152 : 576))
  const byBitrate = new Map(bitrates.map((kbits) => [kbits, mp3Frame({ kbits, hertz, isMono })]))
  const frames = Array.from(
    { length: count },
    (_, index) => byBitrate.get(bitrates[index % bitrates.length] ?? 128) ?? Buffer.alloc(0),
  )
  return Buffer.concat([
    ...(options.id3v2Bytes === undefined ? [] : [id3v2(options.id3v2Bytes)]),
    ...(options.header === undefined
      ? []
      : [headerFrame({ ...options, hertz, isMono, name: options.header, count: options.counted ?? count })]),
    ...frames,
    ...(options.hasId3v1 === true ? [id3v1()] : []),
  ])
}

/** One silent frame of a layer; default 3. */
export function mp3Frame(options: {
  readonly kbits: number
  readonly hertz?: number
  readonly isMono?: boolean
  readonly layer?: 2 | 3
}): Buffer {
  const { kbits, hertz = 44_100, isMono = false, layer = 3 } = options
  const mpeg = hertz >= 32_000 ? 1 : 2
  const bitrateIndex = KBITS[mpeg].findIndex((known) => known === kbits)
  const hertzIndex = HERTZ.indexOf(hertz * mpeg)
  if (bitrateIndex < 1 || hertzIndex < 0) throw new Error(`no MP3 has ${kbits} kbit/s at ${hertz} Hz`)
  const frame = Buffer.alloc(Math.floor(((mpeg === 1 ? 144_000 : 72_000) * kbits) / hertz))
  // No CRC; the version bit is set for MPEG-1.
  frame.writeUInt16BE(0xfff1 | (mpeg === 1 ? 8 : 0) | ((4 - layer) << 1), 0)
  frame.writeUInt8((bitrateIndex << 4) | (hertzIndex << 2), 2)
  frame.writeUInt8(isMono ? 0xc0 : 0, 3)
  return frame
}

function headerFrame(options: {
  readonly name: string
  readonly count: number
  readonly hertz: number
  readonly isMono: boolean
  readonly trim?: { readonly before: number; readonly after: number }
}): Buffer {
  const { name, count, hertz, isMono, trim } = options
  const frame = mp3Frame({ kbits: hertz >= 32_000 ? 128 : 112, hertz, isMono })
  const at = 4 + (hertz >= 32_000 ? (isMono ? 17 : 32) : isMono ? 9 : 17)
  frame.write(name, at, 'latin1')
  frame.writeUInt32BE(trim === undefined ? 1 : 15, at + 4)
  frame.writeUInt32BE(count, at + 8)
  if (trim !== undefined) {
    frame.write('LAME3.100', at + 120, 'latin1')
    frame.writeUIntBE((trim.before << 12) | trim.after, at + 141, 3)
  }
  return frame
}

/** An ID3v2.4 tag whose body is padding. */
export function id3v2(bodyBytes: number): Buffer {
  const tag = Buffer.alloc(10 + bodyBytes)
  tag.write('ID3\u0004', 0, 'latin1')
  for (const [index, shift] of [21, 14, 7, 0].entries()) tag.writeUInt8((bodyBytes >>> shift) & 0x7f, 6 + index)
  return tag
}

function id3v1(): Buffer {
  const tag = Buffer.alloc(128)
  tag.write('TAGSilence', 0, 'latin1')
  return tag
}
