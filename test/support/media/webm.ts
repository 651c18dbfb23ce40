export type WebmOptions = {
  readonly width: number
  readonly height: number
  readonly seconds: number
  /** Default `webm`; `matroska` makes an MKV file. */
  readonly docType?: string
  /** A single audio track; width and height are ignored. */
  readonly isAudioOnly?: boolean
  /** Live recordings have no duration until they end. */
  readonly isSizeUnknown?: boolean
  /** Bytes of each frame; ten frames a second. */
  readonly pictureBytes?: number
  /** Default `V_VP8`. */
  readonly codec?: string
  /** The size in which players show the pictures, where it is another one. */
  readonly display?: { readonly width: number; readonly height: number }
}

const PICTURES_PER_SECOND = 10
/** Times within a cluster are 16 bits of milliseconds. */
const CLUSTER_SECONDS = 10

/** A VP8 (or, for audio, Vorbis) file with a valid structure and random frames. */
export function webm(options: WebmOptions): Buffer {
  const { seconds, docType = 'webm', isSizeUnknown = false } = options
  const header = element(
    0x1a45dfa3,
    element(0x4286, uint(1)),
    element(0x42f7, uint(1)),
    element(0x42f2, uint(4)),
    element(0x42f3, uint(8)),
    element(0x4282, Buffer.from(docType, 'latin1')),
    element(0x4287, uint(4)),
    element(0x4285, uint(2)),
  )
  const duration = Buffer.alloc(8)
  duration.writeDoubleBE(seconds * 1000)
  const maker = Buffer.from('placard', 'latin1')
  const info = element(
    0x1549a966,
    element(0x2ad7b1, uint(1_000_000)),
    element(0x4489, duration),
    element(0x4d80, maker),
    element(0x5741, maker),
  )
  const segment = element(0x18538067, info, element(0x1654ae6b, track(options)), ...clusters(options))
  // The size is in the eight bytes behind the identifier; all ones mean an unknown size.
  if (isSizeUnknown) segment.write('01ffffffffffffff', 4, 'hex')
  return Buffer.concat([header, segment])
}

function track({ width, height, isAudioOnly = false, codec = 'V_VP8', display }: WebmOptions): Buffer {
  const hertz = Buffer.alloc(4)
  hertz.writeFloatBE(44_100)
  const shown = display === undefined ? [] : [element(0x54b0, uint(display.width)), element(0x54ba, uint(display.height))]
  const kind = isAudioOnly
    ? element(0xe1, element(0xb5, hertz), element(0x9f, uint(2)))
    : element(0xe0, element(0xb0, uint(width)), element(0xba, uint(height)), ...shown)
  return element(
    0xae,
    element(0xd7, uint(1)),
    element(0x73c5, uint(1)),
    element(0x83, uint(isAudioOnly ? 2 : 1)),
    element(0x86, Buffer.from(isAudioOnly ? 'A_VORBIS' : codec, 'latin1')),
    kind,
  )
}

function clusters({ seconds, pictureBytes = 50 }: WebmOptions): readonly Buffer[] {
  const times = Array.from(
    { length: Math.max(1, Math.round(seconds * PICTURES_PER_SECOND)) },
    (_, index) => index / PICTURES_PER_SECOND,
  )
  return Array.from({ length: Math.ceil(seconds / CLUSTER_SECONDS) || 1 }, (_, index) => {
    const from = index * CLUSTER_SECONDS
    const within = times.filter((time) => time >= from && time < from + CLUSTER_SECONDS)
    return element(
      0x1f43b675,
      element(0xe7, uint(from * 1000)),
      ...within.map((time) => {
        const block = Buffer.alloc(4 + pictureBytes)
        block.writeUInt8(0x81)
        block.writeInt16BE(Math.round((time - from) * 1000), 1)
        block.writeUInt8(0x80, 3)
        return element(0xa3, block)
      }),
    )
  })
}

/** An EBML element: identifier, size in eight bytes, content. */
function element(id: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE(BigInt(body.length) | (1n << 56n))
  return Buffer.concat([uint(id), size, body])
}

/** The fewest bytes that hold the number. */
function uint(value: number): Buffer {
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
}
