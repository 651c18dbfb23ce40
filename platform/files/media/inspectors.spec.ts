import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import sharp from 'sharp'
import { bannerZip } from '#test/support/media/banner-zip'
import { mp3 } from '#test/support/media/mp3'
import { mp4 } from '#test/support/media/mp4'
import { webm } from '#test/support/media/webm'
import { images } from './images.ts'
import { inspectBannerZip } from './archive.ts'
import { inspectMp3 } from './audio.ts'
import { createVideoInspector } from './video.ts'

const inspector = createVideoInspector()
afterAll(async () => inspector.close())

const SHAPE = { width: 320, height: 180, seconds: 2 }
const WHOLE = [
  mp3({ seconds: 1, header: 'Xing', id3v2Bytes: 100, hasId3v1: true }),
  mp4(SHAPE),
  mp4({ ...SHAPE, isIndexLast: true }),
  webm(SHAPE),
  bannerZip(),
]

/**
 * A valid file with a truncated end and some flipped bits; half of the bits are near its beginning or end, where the structure
 * is.
 */
const spoilt = fc
  .record({
    whole: fc.constantFrom(...WHOLE),
    kept: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
    flips: fc.array(fc.record({ at: fc.nat(), bit: fc.nat(7), from: fc.constantFrom('anywhere', 'begin', 'end') }), {
      maxLength: 8,
    }),
  })
  .map(({ whole, kept, flips }) => {
    const bytes = Buffer.from(whole.subarray(0, Math.ceil(whole.length * kept)))
    for (const { at, bit, from } of flips) {
      const near = at % Math.min(700, bytes.length)
      const index = from === 'anywhere' ? at % bytes.length : from === 'begin' ? near : bytes.length - 1 - near
      if (bytes.length > 0) bytes.writeUInt8(bytes.readUInt8(index) ^ (1 << bit), index)
    }
    return bytes
  })
const junk = fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes))
/** A valid signature followed by random bytes. */
const disguised = fc
  .tuple(fc.constantFrom(...WHOLE), fc.nat(300), junk)
  .map(([whole, kept, rest]) => Buffer.concat([whole.subarray(0, kept), rest]))

describe('the inspection of an upload', () => {
  it('recognises or refuses any bytes, and never throws', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(spoilt, junk, disguised), async (bytes) => {
        const audio = await inspectMp3(bytes)
        const video = await inspector.inspect(bytes)
        const banner = await inspectBannerZip(bytes)

        if (audio !== null) expect(audio.seconds).toBeGreaterThan(0)
        if (video !== null && !('fault' in video)) expect(Math.min(video.width, video.height, video.seconds)).toBeGreaterThan(0)
        if (!('fault' in banner)) expect(banner.files.map(({ path }) => path)).toContain('index.html')
      }),
      { numRuns: 500 },
    )
    expect(await inspector.inspect(mp4(SHAPE))).toMatchObject({ contentType: 'video/mp4', ...SHAPE })
  })

  it('recognises one format only', async () => {
    for (const bytes of WHOLE) {
      const found = [await inspectMp3(bytes), await inspector.inspect(bytes), await inspectBannerZip(bytes)]

      expect(found.filter((facts) => facts !== null && !('fault' in facts))).toHaveLength(1)
    }
  })
})

describe('pixels of an animation', () => {
  const frames = (count: number, side: number) =>
    // Each frame has its own colour: equal ones are joined.
    sharp(Buffer.concat(Array.from({ length: count }, (_, n) => Buffer.alloc(side * side * 3, 20 * n))), {
      raw: { width: side, height: side * count, channels: 3, pageHeight: side },
    })

  it.each([
    ['GIF', 'image/gif', (image: ReturnType<typeof frames>) => image.gif({ effort: 1 })],
    ['WebP', 'image/webp', (image: ReturnType<typeof frames>) => image.webp({ effort: 0 })],
  ])('pixels of an animation are counted over all frames of a %s', async (_, contentType, written) => {
    const small = await written(frames(5, 2000)).toBuffer()
    expect(await images.inspect(small)).toMatchObject({ contentType, width: 2000, height: 2000 })
    const large = await written(frames(12, 2000)).toBuffer()
    expect(await images.inspect(large)).toEqual({ fault: 'imagePixels', params: { max: 40 } })
  })
})

describe('an image', () => {
  const made = () => sharp({ create: { width: 64, height: 48, channels: 3, background: '#888' } })
  const script = Buffer.from('<script>alert(1)</script>')

  it.each(['png', 'jpeg', 'gif', 'webp'] as const)('an image of type %s is recognised', async (format) =>
    expect(await images.inspect(await made().toFormat(format).toBuffer())).toMatchObject({
      contentType: `image/${format}`,
      width: 64,
      height: 48,
    }),
  )

  it.each<[string, (png: Buffer) => Buffer]>([
    ['a drawing with a script', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a page', () => script],
    ['half an image', (png) => png.subarray(0, 100)],
    ['an image with a page behind it', (png) => Buffer.concat([png, script])],
    ['an image with an archive behind it', (png) => Buffer.concat([png, bannerZip({})])],
    ['nothing', () => Buffer.alloc(0)],
  ])('an image is not %s', async (_, bytes) => expect(await images.inspect(bytes(await made().png().toBuffer()))).toBeNull())
})
