import { PNG_SIGNATURE, pngChunk, pngChunks } from '#platform/files/media/png-chunks'

export type ApngOptions = {
  /** Whole PNGs; the first has the size of the image. */
  readonly frames: readonly Buffer[]
  /** The image that programs show that know no animation; default: the first frame, as a part of the animation. */
  readonly still?: Buffer
  /** Milliseconds of each frame. */
  readonly delay?: number
  readonly loops?: number
  /** Where frames of other sizes stand. */
  readonly at?: { readonly left: number; readonly top: number }
  /** Number of chunks in which a frame's data stand. */
  readonly pieces?: number
  /** Chunks behind the header, such as metadata. */
  readonly extra?: readonly Buffer[]
}

const u32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}
const headerOf = (png: Buffer): Buffer => pngChunks(png)[0]?.data ?? Buffer.alloc(13)
const dataOf = (png: Buffer): Buffer =>
  Buffer.concat(
    pngChunks(png)
      .filter(({ name }) => name === 'IDAT')
      .map(({ data }) => data),
  )

/** An animated PNG of PNGs of the same kind of pixels. */
export function apng(options: ApngOptions): Buffer {
  const { frames, still, delay = 100, loops = 0, at = { left: 0, top: 0 }, pieces = 1, extra = [] } = options
  const [first = Buffer.alloc(0)] = frames
  const shown = still ?? first
  let sequence = 0
  const next = (): Buffer => u32(sequence++)
  const control = (png: Buffer, { left, top }: { left: number; top: number }): Buffer => {
    const [width, height] = [headerOf(png).readUInt32BE(0), headerOf(png).readUInt32BE(4)]
    const times = Buffer.from([delay >> 8, delay & 255, 1000 >> 8, 1000 & 255, 0, 0])
    return pngChunk('fcTL', Buffer.concat([next(), u32(width, height, left, top), times]))
  }
  const parts: Buffer[] = []
  for (const [index, frame] of frames.entries()) {
    parts.push(control(frame, index === 0 ? { left: 0, top: 0 } : at))
    const data = dataOf(frame)
    if (index === 0 && still === undefined) parts.push(pngChunk('IDAT', data))
    else
      for (let piece = 0; piece < pieces; piece += 1) {
        const [from, to] = [piece, piece + 1].map((n) => Math.floor((data.length * n) / pieces))
        parts.push(pngChunk('fdAT', Buffer.concat([next(), data.subarray(from, to)])))
      }
  }
  const colours = pngChunks(first).filter(({ name }) => name === 'PLTE' || name === 'tRNS')
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', headerOf(shown)),
    pngChunk('acTL', u32(frames.length, loops)),
    ...colours.map(({ whole }) => whole),
    ...extra,
    ...(still === undefined ? [] : [pngChunk('IDAT', dataOf(still))]),
    ...parts,
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}
