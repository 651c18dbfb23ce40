export type Mp4Options = {
  readonly width: number
  readonly height: number
  readonly seconds: number
  /** Length of a sound beside the pictures; default: none. */
  readonly soundSeconds?: number
  /** Places the index behind the frames instead of before them. */
  readonly isIndexLast?: boolean
  /** A single audio track; width and height are ignored. */
  readonly isAudioOnly?: boolean
  /** Filmed on its side: displayed rotated by 90°. */
  readonly isRotated?: boolean
  /** Default `isom`; `qt  ` makes a QuickTime file. */
  readonly brand?: string
  /** Bytes of each frame; ten frames a second. */
  readonly pictureBytes?: number
  /** How an encoder describes its pictures; default: H.264, without details. */
  readonly codec?: Mp4Codec
  /** Width and height of a pixel; default: not stated, which means square. */
  readonly pixel?: readonly [number, number]
}

/** A kind of pictures, and the boxes that describe them. */
export type Mp4Codec = { readonly type: string; readonly boxes: readonly Buffer[] }

const PICTURES_PER_SECOND = 10
const UPRIGHT = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000]
const ROTATED = [0, 0x10000, 0, 0xffff_0000, 0, 0, 0, 0, 0x4000_0000]

/** An H.264 (or, for audio, AAC) file with a valid structure and random frames. */
export function mp4(options: Mp4Options): Buffer {
  const { seconds, isIndexLast = false, brand = 'isom', pictureBytes = 50 } = options
  const count = Math.max(1, Math.round(seconds * PICTURES_PER_SECOND))
  const head = box('ftyp', brand, u32(512), 'isom', 'mp41')
  const media = box('mdat', Buffer.alloc(count * pictureBytes, 0x55))
  const index = (mediaAt: number): Buffer => moov(options, { count, pictureBytes, at: mediaAt + 8 })
  if (isIndexLast) return Buffer.concat([head, media, index(head.length)])
  return Buffer.concat([head, index(head.length + index(0).length), media])
}

type Samples = { readonly count: number; readonly pictureBytes: number; readonly at: number }

function moov(options: Mp4Options, samples: Samples): Buffer {
  const { seconds, soundSeconds = 0 } = options
  const whole = Math.round(Math.max(seconds, soundSeconds) * 1000)
  const mvhd = full('mvhd', 0, u32(0, 0, 1000, whole, 0x10000), u16(0x100, 0), u32(0, 0, ...UPRIGHT, 0, 0, 0, 0, 0, 0, 2))
  const sound = { ...options, seconds: soundSeconds, isAudioOnly: true }
  return box('moov', mvhd, trak(options, samples), ...(soundSeconds === 0 ? [] : [trak(sound, samples)]))
}

function trak(options: Mp4Options, samples: Samples): Buffer {
  const { width, height, seconds, isAudioOnly = false, isRotated = false } = options
  const milliseconds = Math.round(seconds * 1000)
  const size = isAudioOnly ? [0, 0] : [width * 0x10000, height * 0x10000]
  const tkhd = full(
    'tkhd',
    3,
    u32(0, 0, 1, 0, milliseconds, 0, 0),
    u16(0, 0, isAudioOnly ? 0x100 : 0, 0),
    u32(...(isRotated ? ROTATED : UPRIGHT), ...size),
  )
  const mdhd = full('mdhd', 0, u32(0, 0, 1000, milliseconds), u16(0x55c4, 0))
  const hdlr = full('hdlr', 0, u32(0), isAudioOnly ? 'soun' : 'vide', u32(0, 0, 0), 'Handler\0')
  const header = isAudioOnly ? full('smhd', 0, u16(0, 0)) : full('vmhd', 1, u16(0, 0, 0, 0))
  const dinf = box('dinf', full('dref', 0, u32(1), full('url ', 1)))
  const stbl = box(
    'stbl',
    full('stsd', 0, u32(1), isAudioOnly ? mp4a() : pictures(options)),
    full('stts', 0, u32(1, samples.count, Math.round(milliseconds / samples.count))),
    full('stsc', 0, u32(1, 1, samples.count, 1)),
    full('stsz', 0, u32(samples.pictureBytes, samples.count)),
    full('stco', 0, u32(1, samples.at)),
  )
  return box('trak', tkhd, box('mdia', mdhd, hdlr, box('minf', header, dinf, stbl)))
}

function pictures({ width, height, codec = { type: 'avc1', boxes: [] }, pixel }: Mp4Options): Buffer {
  const name = Buffer.alloc(32)
  return box(
    codec.type,
    u32(0),
    u16(0, 1),
    u32(0, 0, 0, 0),
    u16(width, height),
    u32(0x48_0000, 0x48_0000, 0),
    u16(1),
    name,
    u16(24, 0xffff),
    ...codec.boxes,
    ...(pixel === undefined ? [] : [box('pasp', u32(...pixel))]),
  )
}

function mp4a(): Buffer {
  return box('mp4a', u32(0), u16(0, 1), u32(0, 0), u16(2, 16, 0, 0), u32(44_100 * 0x10000))
}

/** A box of the MP4 structure: size, name and content. */
export function box(name: string, ...parts: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))
  return Buffer.concat([u32(8 + body.length), Buffer.from(name, 'latin1'), body])
}

const full = (name: string, flags: number, ...parts: readonly (Buffer | string)[]): Buffer => box(name, u32(flags), ...parts)

function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}

function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, index * 2)
  return bytes
}
