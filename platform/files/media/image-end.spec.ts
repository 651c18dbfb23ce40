import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import sharp, { type Sharp } from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { zip } from '#test/support/media/zip'
import { images } from './images.ts'
import { endOfImage, imagesIn, type ImageType } from './image-end.ts'

const { inspect } = images
const WIDTH = 60
const HEIGHT = 40
const TYPES: readonly ImageType[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** Noise, so that every byte value occurs in the coded data; odd chunk sizes of WebP occur by chance. */
const noise = (): Sharp => sharp(randomBytes(WIDTH * HEIGHT * 3), { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
const film = (): Sharp =>
  sharp(randomBytes(WIDTH * HEIGHT * 3 * 4), { raw: { width: WIDTH, height: HEIGHT * 4, channels: 3, pageHeight: HEIGHT } })
const picture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()

const MADE: readonly (readonly [name: string, ImageType, () => Promise<Buffer>])[] = [
  ['PNG', 'image/png', () => noise().png().toBuffer()],
  ['PNG with a palette', 'image/png', () => noise().png({ palette: true }).toBuffer()],
  ['interlaced PNG', 'image/png', () => noise().png({ progressive: true }).toBuffer()],
  ['JPEG', 'image/jpeg', () => noise().jpeg().toBuffer()],
  ['progressive JPEG', 'image/jpeg', () => noise().jpeg({ progressive: true }).toBuffer()],
  ['JPEG by mozjpeg', 'image/jpeg', () => noise().jpeg({ mozjpeg: true }).toBuffer()],
  ['JPEG with Exif and a profile', 'image/jpeg', () => noise().withMetadata({ orientation: 1 }).jpeg().toBuffer()],
  ['GIF', 'image/gif', () => noise().gif().toBuffer()],
  ['animated GIF', 'image/gif', () => film().gif({ loop: 0, delay: 50 }).toBuffer()],
  ['lossy WebP', 'image/webp', () => noise().webp().toBuffer()],
  ['lossless WebP', 'image/webp', () => noise().webp({ lossless: true }).toBuffer()],
  ['WebP with transparency', 'image/webp', () => noise().ensureAlpha(0.5).webp().toBuffer()],
  ['animated WebP', 'image/webp', () => film().webp({ loop: 0, delay: 50 }).toBuffer()],
]
const ARCHIVE = zip([{ path: 'index.html', bytes: '<!doctype html>' }])
const SCRIPT = Buffer.from('<script>alert(1)</script>')

describe.each(MADE)('a %s', (_name, contentType, make) => {
  let image: Buffer
  beforeAll(async () => {
    image = await make()
  })

  it('ends where its file ends', async () => {
    expect(endOfImage(image, contentType)).toBe(image.length)
    expect(await inspect(image)).toMatchObject({ contentType, width: WIDTH, height: HEIGHT })
  })

  it('the image may be followed by zeros', async () => {
    const bytes = Buffer.concat([image, Buffer.alloc(1000)])

    expect(endOfImage(bytes, contentType)).toBe(image.length)
    expect(await inspect(bytes)).toMatchObject({ contentType, width: WIDTH, height: HEIGHT })
  })

  it.each([
    ['an archive', ARCHIVE],
    ['a script', SCRIPT],
    ['zeros and an archive', Buffer.concat([Buffer.alloc(64), ARCHIVE])],
    ['one byte', Buffer.from([1])],
  ])('the image is refused with %s behind it', async (_what, behind) => {
    const bytes = Buffer.concat([image, behind])

    expect(endOfImage(bytes, contentType)).toBe(image.length)
    expect(imagesIn(bytes, contentType)).toBeNull()
    expect(await inspect(bytes)).toBeNull()
  })

  // covers FP-39
  it('the image is refused when it is truncated at any byte', async () => {
    const ends = Array.from({ length: image.length }, (_, length) => endOfImage(image.subarray(0, length), contentType))

    expect(new Set(ends)).toEqual(new Set([null]))
    expect(await inspect(image.subarray(0, image.length - 1))).toBeNull()
    expect(await inspect(image.subarray(0, image.length / 2))).toBeNull()
  })
})

describe('a JPEG', () => {
  it('a JPEG may be followed by other JPEGs, as in photographs of phones', async () => {
    const pictures = [await picture(600, 400), await picture(60, 40), await picture(30, 20)]
    const bytes = Buffer.concat(pictures.flatMap((image) => [image, Buffer.alloc(100)]))

    expect(imagesIn(bytes, 'image/jpeg')).toEqual(pictures)
    expect(await inspect(bytes)).toMatchObject({ contentType: 'image/jpeg', width: 600, height: 400 })
  })

  it.each([
    ['a JPEG and an archive', ARCHIVE],
    ['an archive marked as scan data', Buffer.from(`ffd8ffda0002${ARCHIVE.toString('hex')}ffd9`, 'hex')],
    ['a JPEG without an image', Buffer.from('ffd8ffd9', 'hex')],
    ['a truncated JPEG', Buffer.from('ffd8ffda0002', 'hex')],
  ])('a JPEG may not be followed by %s', async (_what, behind) => {
    const image = await picture(60, 40)

    expect(await inspect(Buffer.concat([image, image, behind]))).toBeNull()
  })

  it('a JPEG may not be followed by a PNG', async () => {
    expect(await inspect(Buffer.concat([await picture(60, 40), await noise().png().toBuffer()]))).toBeNull()
  })

  it('a JPEG may not be followed by more than seven others', async () => {
    const image = await picture(60, 40)

    expect(await inspect(Buffer.concat(Array.from({ length: 8 }, () => image)))).not.toBeNull()
    expect(await inspect(Buffer.concat(Array.from({ length: 9 }, () => image)))).toBeNull()
  })

  it('shares its limit of pixels with the JPEGs behind it', async () => {
    const large = await picture(6000, 5000)

    expect(await inspect(Buffer.concat([large, await picture(1000, 1000)]))).not.toBeNull()
    expect(await inspect(Buffer.concat([large, large]))).toMatchObject({ fault: 'imagePixels' })
  })

  it('a JPEG may have fill bytes before its markers', () => {
    const bytes = Buffer.from('ffd8ffffda0002aaff00ffffd0bbffffffd9', 'hex')

    expect(endOfImage(bytes, 'image/jpeg')).toBe(bytes.length)
  })
})

describe('images of other formats', () => {
  it.each(MADE.filter(([, contentType]) => contentType !== 'image/jpeg'))(
    'images of other formats such as %s stand alone',
    async (_name, _type, make) => {
      const image = await make()

      expect(await inspect(Buffer.concat([image, image]))).toBeNull()
    },
  )
})

describe('parsing an image', () => {
  const bytesOf = (array: Uint8Array): Buffer => Buffer.from(array)
  /** Enough of an image for the parser to start. */
  const HEADS: Readonly<Record<ImageType, string>> = {
    'image/png': '89504e470d0a1a0a',
    'image/jpeg': 'ffd8',
    'image/gif': '474946383961',
    'image/webp': '52494646ffff000057454250',
  }

  it.each(TYPES)('never throws and never reads past the end, whatever follows the header of %s', (contentType) => {
    const head = Buffer.from(HEADS[contentType], 'hex')
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (random, withHead) => {
        const bytes = Buffer.concat([withHead ? head : Buffer.alloc(0), random])
        const end = endOfImage(bytes, contentType)
        expect(end === null || (end > 0 && end <= bytes.length)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it.each(MADE)('never throws for a damaged %s', async (_name, contentType, make) => {
    const image = await make()
    fc.assert(
      fc.property(fc.nat(image.length - 1), fc.uint8Array({ minLength: 1, maxLength: 8 }), (at, random) => {
        const bytes = Buffer.from(image)
        bytes.set(random.subarray(0, bytes.length - at), at)
        const end = endOfImage(bytes, contentType)
        expect(end === null || end <= bytes.length).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it.each(MADE)('refuses random bytes behind a %s', async (_name, contentType, make) => {
    const image = await make()
    const notZero = fc.uint8Array({ minLength: 1, maxLength: 200 }).filter((array) => array.some((byte) => byte !== 0))
    await fc.assert(
      fc.asyncProperty(notZero, async (random) => {
        const bytes = Buffer.concat([image, bytesOf(random)])
        expect(endOfImage(bytes, contentType)).toBe(image.length)
        expect(await inspect(bytes)).toBeNull()
      }),
    )
  })
})
