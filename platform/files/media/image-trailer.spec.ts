import fc from 'fast-check'
import sharp, { type Sharp } from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import type { CleanImage } from '#commands/files/media'
import { mp4 } from '#test/support/media/mp4'
import { images } from './images.ts'
import { isPhoneTrailer } from './image-trailer.ts'

const SECRET = Buffer.from('Recorded by Ada')
const u32le = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** Blocks of names and contents, as Samsung's camera writes them. */
function samsung(blocks: readonly (readonly [name: string, content: Buffer])[]): Buffer {
  const written = blocks.map(([name, content]) =>
    Buffer.concat([Buffer.from([0, 0, 1, 10]), u32le(name.length), Buffer.from(name), content]),
  )
  const entries = written.map((block, index) => {
    const offset = written.slice(index).reduce((sum, { length }) => sum + length, 0)
    return Buffer.concat([Buffer.from([0, 0, 1, 10]), u32le(offset), u32le(block.length)])
  })
  const directory = Buffer.concat([Buffer.from('SEFH'), u32le(107), u32le(blocks.length), ...entries])
  return Buffer.concat([...written, directory, u32le(directory.length), Buffer.from('SEFT')])
}
const film = mp4({ width: 64, height: 36, seconds: 1 })
const oppo = (json: string): Buffer => Buffer.concat([Buffer.from(json), Buffer.from('jxrs'), u32le(json.length + 8)])
const VIVO = Buffer.from('ffffffff1b2a39485766758493a2b1', 'hex')
const JPEG_BEHIND = () =>
  sharp({ create: { width: 9, height: 9, channels: 3, background: 'blue' } })
    .jpeg()
    .toBuffer()

const TRAILERS: readonly (readonly [string, () => Buffer | Promise<Buffer>])[] = [
  ['the time of a Samsung', () => samsung([['Image_UTC_Data', SECRET]])],
  [
    'several blocks of a Samsung',
    () =>
      samsung([
        ['Image_UTC_Data', SECRET],
        ['MCC_Data', Buffer.from('310')],
        ['Camera_Info', SECRET],
      ]),
  ],
  ['the motion photo of a Samsung', () => samsung([['MotionPhoto_Data', Buffer.concat([film, SECRET])]])],
  ['a Samsung without blocks', () => samsung([])],
  ['the motion photo of a Pixel', () => film],
  ['a motion photo with its index last', () => mp4({ width: 64, height: 36, seconds: 1, isIndexLast: true })],
  ['a motion photo and zeros', () => Buffer.concat([film, Buffer.alloc(100)])],
  ['a motion photo and blocks of a Samsung', () => Buffer.concat([film, samsung([['MotionPhoto_Info', SECRET]])])],
  [
    'a live photo of a Huawei',
    () => Buffer.concat([film, Buffer.from('v2_f26              41:3012             LIVE_3218766        ')]),
  ],
  ['a gain map and a motion photo', async () => Buffer.concat([await JPEG_BEHIND(), film])],
  [
    'zeros and a gain map and blocks of a Samsung',
    async () => Buffer.concat([Buffer.alloc(64), await JPEG_BEHIND(), samsung([['A', SECRET]])]),
  ],
  ['notes of a vivo', () => Buffer.concat([Buffer.from('vivo{"version":"2.0"}\0'), SECRET, VIVO])],
  ['an image of a vivo', () => Buffer.concat([Buffer.from('streamdata'), SECRET, VIVO])],
  ['notes of an OPPO', () => oppo(`[{"length":9,"name":"${String(SECRET)}","offset":9}]`)],
]
const SCRIPT = Buffer.from('<script>alert(1)</script>')

describe('the trailer that phones write behind an image', () => {
  let jpeg: Buffer
  beforeAll(async () => {
    jpeg = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer()
  })

  it.each(TRAILERS)('the trailer that phones write behind an image is cut: %s', async (_, trailer) => {
    const found = (await images.inspect(Buffer.concat([jpeg, await trailer()]))) as CleanImage
    expect(found).toMatchObject({ contentType: 'image/jpeg', width: 60, height: 40 })
    expect(found.bytes.equals(((await images.inspect(jpeg)) as CleanImage).bytes)).toBe(true)
  })

  it('the trailer that phones write behind an image is cut as the gain map of an Ultra HDR photograph', async () => {
    const light = Float32Array.from({ length: 64 * 64 * 3 }, (_, at) => (at % 64) / 32)
    const bright = sharp(light, { raw: { width: 64, height: 64, channels: 3 } })
      .pipelineColourspace('scrgb')
      .toColourspace('scrgb')
    // The package's types lack it.
    const bytes = await (bright as Sharp & { withGainMap(): Sharp }).withGainMap().jpeg().toBuffer()
    expect((await sharp(bytes).metadata()).gainMap).toBeDefined()
    const found = (await images.inspect(bytes)) as CleanImage
    expect(found).toMatchObject({ width: 64, height: 64 })
    expect((await sharp(found.bytes).metadata()).gainMap).toBeUndefined()
  })

  it('the trailer that phones write behind an image is cut behind screenshots too', async () => {
    const png = await sharp(jpeg).png().toBuffer()
    const found = (await images.inspect(Buffer.concat([png, samsung([['Image_UTC_Data', SECRET]])]))) as CleanImage
    expect(found.bytes.equals(png)).toBe(true)
  })

  it('the trailer that phones write behind an image is cut whatever its blocks hold', async () => {
    const block = fc.tuple(
      fc.string({ maxLength: 40 }).map((name) => name.replaceAll(/[^ -~]/g, '')),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    )
    const clean = ((await images.inspect(jpeg)) as CleanImage).bytes
    await fc.assert(
      fc.asyncProperty(fc.array(block, { maxLength: 8 }), async (blocks) => {
        const found = (await images.inspect(Buffer.concat([jpeg, samsung(blocks)]))) as CleanImage
        expect(found.bytes.equals(clean)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  it.each<[string, Buffer]>([
    ['a script', SCRIPT],
    ['the end of a Samsung alone', Buffer.concat([SCRIPT, u32le(99), Buffer.from('SEFT')])],
    [
      'a directory of a wrong size',
      Buffer.concat([SCRIPT, Buffer.from('SEFH'), u32le(107), u32le(5), u32le(12), Buffer.from('SEFT')]),
    ],
    ['a film and a script', Buffer.concat([film, SCRIPT])],
    ['half a film', film.subarray(0, film.length - 10)],
    ['a name of a film', Buffer.from('\0\0\0\u0020ftyp')],
    ['a script that ends as a vivo', Buffer.concat([SCRIPT, VIVO])],
    ['notes of an OPPO that are too long', Buffer.concat([SCRIPT, Buffer.from('jxrs'), u32le(9000)])],
  ])('the trailer that phones write behind an image is not %s', async (_, behind) => {
    expect(isPhoneTrailer(behind)).toBe(false)
    expect(await images.inspect(Buffer.concat([jpeg, behind]))).toBeNull()
  })

  it('the trailer that phones write behind an image is never read past its end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.constantFrom('SEFT', 'jxrs', '\0\0\0\x08ftyp', ''), (random, mark) => {
        expect(isPhoneTrailer(Buffer.concat([random, Buffer.from(mark, 'latin1')]))).toBeTypeOf('boolean')
        expect(isPhoneTrailer(Buffer.concat([Buffer.from(mark, 'latin1'), random]))).toBeTypeOf('boolean')
      }),
      { numRuns: 2000 },
    )
  })
})
