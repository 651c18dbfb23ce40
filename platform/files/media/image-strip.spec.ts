import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { CleanImage } from '#commands/files/media'
import { images } from './images.ts'
import { imagesIn, type ImageType } from './image-end.ts'
import { withoutMetadata } from './image-strip.ts'

const SECRET = 'Made by Ada in Cairo'
const EXIF = { IFD0: { Copyright: SECRET, Make: SECRET }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '30/1 2/1 0/1' } }
const plain = (width = 64, height = 32) =>
  sharp({ create: { width, height, channels: 3, background: '#2563eb' } }).composite([
    { input: { create: { width: 16, height: 8, channels: 3, background: '#ff0000' } }, left: 3, top: 5 },
  ])
const pixels = async (image: Buffer) => (await sharp(image, { animated: true }).raw().toBuffer()).toString('base64')

/** A JPEG with a comment and an unknown application segment. */
const commented = (jpeg: Buffer): Buffer => {
  const segment = (marker: number, text: string) => {
    const head = Buffer.from([0xff, marker, 0, 0])
    head.writeUInt16BE(text.length + 2, 2)
    return Buffer.concat([head, Buffer.from(text, 'latin1')])
  }
  return Buffer.concat([
    jpeg.subarray(0, 2),
    segment(0xfe, SECRET),
    segment(0xed, SECRET),
    segment(0xe9, SECRET),
    jpeg.subarray(2),
  ])
}
/** A GIF of two frames with a comment. */
const gif = async (): Promise<Buffer> => {
  const frames = Buffer.concat(
    await Promise.all(
      ['#ff0000', '#00ff00'].map((background) =>
        sharp({ create: { width: 8, height: 8, channels: 3, background } })
          .raw()
          .toBuffer(),
      ),
    ),
  )
  const bytes = await sharp(frames, { raw: { width: 8, height: 16, channels: 3, pageHeight: 8 } })
    .gif({ loop: 3 })
    .toBuffer()
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe, SECRET.length]), Buffer.from(SECRET), Buffer.from([0])])
  const header = 13 + ((bytes[10]! & 0x80) === 0 ? 0 : 3 * 2 ** ((bytes[10]! & 7) + 1))
  return Buffer.concat([bytes.subarray(0, header), comment, bytes.subarray(header)])
}

const SAMPLES: readonly (readonly [string, ImageType, () => Promise<Buffer>])[] = [
  ['a JPEG with EXIF', 'image/jpeg', async () => plain().withExif(EXIF).jpeg().toBuffer()],
  ['a progressive JPEG with comments', 'image/jpeg', async () => commented(await plain().jpeg({ progressive: true }).toBuffer())],
  ['a PNG with EXIF', 'image/png', async () => plain().withExif(EXIF).png().toBuffer()],
  ['a WebP with EXIF', 'image/webp', async () => plain().withExif(EXIF).webp().toBuffer()],
  ['a GIF with a comment', 'image/gif', gif],
]

describe('stripping metadata', () => {
  // covers FP-54
  it.each(SAMPLES)('removes it from %s and keeps every pixel', async (_, type, make) => {
    const image = await make()
    expect(image.includes(SECRET)).toBe(true)
    const stripped = withoutMetadata(image, type)
    expect(stripped.includes(SECRET)).toBe(false)
    const { exif, xmp, iptc } = await sharp(stripped).metadata()
    expect([exif, xmp, iptc]).toEqual([undefined, undefined, undefined])
    expect(await pixels(stripped)).toBe(await pixels(image))
    expect(imagesIn(stripped, type)).toHaveLength(1)
    expect(withoutMetadata(stripped, type).equals(stripped)).toBe(true)
  })

  it('keeps an animation and its number of loops', async () => {
    const { pages, loop } = await sharp(withoutMetadata(await gif(), 'image/gif'), { animated: true }).metadata()
    expect({ pages, loop }).toEqual({ pages: 2, loop: 3 })
  })

  it('keeps a colour profile', async () => {
    const image = await plain().withIccProfile('p3').jpeg().toBuffer()
    expect((await sharp(withoutMetadata(image, 'image/jpeg')).metadata()).icc).toBeDefined()
  })

  it('rotates a photograph by its orientation tag before it removes the tag', async () => {
    const image = await plain(64, 32).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const found = (await images.inspect(image)) as CleanImage
    expect(found).toMatchObject({ width: 32, height: 64 })
    expect(await sharp(found.bytes).metadata()).toMatchObject({ width: 32, height: 64 })
    expect((await sharp(found.bytes).metadata()).orientation ?? 1).toBe(1)
  })
})
