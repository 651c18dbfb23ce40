import { crc32 } from 'node:zlib'

export const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** A part of a PNG; `whole` includes its length, name and check sum. */
export type PngChunk = { readonly name: string; readonly data: Buffer; readonly whole: Buffer }

/** The chunks of a whole PNG (`imagesIn`), in order. */
export function pngChunks(png: Buffer): readonly PngChunk[] {
  const chunks: PngChunk[] = []
  for (let at = PNG_SIGNATURE.length; at < png.length;) {
    const whole = png.subarray(at, at + 12 + png.readUInt32BE(at))
    chunks.push({ name: whole.toString('latin1', 4, 8), data: whole.subarray(8, -4), whole })
    at += whole.length
  }
  return chunks
}

/** The bytes of a chunk, check sum included. */
export function pngChunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  size.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([size, named, sum])
}
