import { PNG_SIGNATURE, pngChunk, pngChunks, type PngChunk } from './png-chunks.ts'

const CONTROL = 'fcTL'
const DATA = 'fdAT'
/** Colours that a frame shares with the image. */
const SHARED = ['PLTE', 'tRNS']

/** Number of frames of an animated PNG, as its chunks announce them; 1 for a PNG that stands still. */
export const pngFrameCount = (png: Buffer): number => Math.max(1, pngChunks(png).filter(({ name }) => name === CONTROL).length)

/**
 * The frames of an animated PNG whose data stand outside the image itself, each as its own PNG, for decoders that know only the
 * first. None for a PNG that stands still. Throws unless all announced frames are there, in order and within the image.
 */
export function* pngFrames(png: Buffer): Generator<Buffer> {
  const chunks = pngChunks(png)
  const header = chunks.find(({ name }) => name === 'IHDR')?.data
  const animation = chunks.find(({ name }) => name === 'acTL')?.data
  const parts = chunks.filter(({ name }) => name === CONTROL || name === DATA)
  if (animation === undefined && parts.length === 0) return
  const isInOrder = parts.every(({ data }, index) => data.readUInt32BE(0) === index)
  if (header === undefined || animation?.readUInt32BE(0) !== pngFrameCount(png) || !isInOrder)
    throw new Error('frames are missing or out of order')

  // A PNG has one of each: more would be copied into every frame.
  const shared = SHARED.flatMap((name) => chunks.find((chunk) => chunk.name === name)?.whole ?? [])
  const frames = framesOf(chunks)
  for (const [index, { control, data }] of frames.entries()) {
    const [width, height, left, top] = [4, 8, 12, 16].map((at) => control.readUInt32BE(at))
    const size: Buffer = Buffer.from(header)
    control.copy(size, 0, 4, 12)
    const isWithin = (left ?? 0) + (width ?? 0) <= header.readUInt32BE(0) && (top ?? 0) + (height ?? 0) <= header.readUInt32BE(4)
    // Only the first frame may be the image itself.
    const isImage = data.length === 0 && index === 0
    if (!isWithin || (isImage && !size.equals(header))) throw new Error('a frame lies outside the image')
    if (isImage) continue
    yield Buffer.concat([
      PNG_SIGNATURE,
      pngChunk('IHDR', size),
      ...shared,
      pngChunk('IDAT', Buffer.concat(data)),
      pngChunk('IEND', Buffer.alloc(0)),
    ])
  }
}

type Frame = { readonly control: Buffer; readonly data: Buffer[] }

/** Each control chunk with the data that follow it, without their sequence numbers. */
function framesOf(chunks: readonly PngChunk[]): readonly Frame[] {
  const frames: Frame[] = []
  for (const { name, data } of chunks) {
    if (name === CONTROL) frames.push({ control: data, data: [] })
    if (name === DATA) frames.at(-1)?.data.push(data.subarray(4))
  }
  return frames
}
