import fc from 'fast-check'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import type { CleanImage } from '#commands/files/media'
import { apng, type ApngOptions } from '#test/support/media/apng'
import { processorMs } from '#test/support/processor'
import { images } from './images.ts'
import { pngChunk, pngChunks } from './png-chunks.ts'

type Film = { readonly delays: readonly number[]; readonly loop: number; readonly width?: number; readonly height?: number }

/** Every frame has its own colour: encoders join equal ones. */
const film = ({ delays, width = 60, height = 50 }: Film, channels: 3 | 4 = 3): Sharp =>
  sharp(
    Buffer.concat(
      delays.map((_, at) => {
        const colour = [(at * 67) % 256, (at * 29) % 256, (at * 113) % 256, 255 - (at % 2) * 255].slice(0, channels)
        return Buffer.from(Array.from({ length: width * height }, () => colour).flat())
      }),
    ),
    { raw: { width, height: height * delays.length, channels, pageHeight: height } },
  )
const gif = (made: Film): Promise<Buffer> =>
  film(made)
    .gif({ delay: [...made.delays], loop: made.loop })
    .toBuffer()
const webp = (made: Film): Promise<Buffer> =>
  film(made)
    .webp({ delay: [...made.delays], loop: made.loop })
    .toBuffer()

async function factsOf(bytes: Buffer) {
  const { width, pageHeight: height, pages: frames, delay, loop, format } = await sharp(bytes, { animated: true }).metadata()
  return { format, width, height, frames, delay, loop }
}
const inspected = async (bytes: Buffer): Promise<CleanImage> => {
  const found = await images.inspect(bytes)
  expect(found).toHaveProperty('bytes')
  return found as CleanImage
}

const STEADY = { delays: [100, 100, 100], loop: 0 }
/** Without the block of an application that says how often it repeats. */
const once = (bytes: Buffer): Buffer => {
  const at = bytes.indexOf('NETSCAPE2.0') - 3
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 19)])
}

const ANIMATIONS: readonly (readonly [string, () => Promise<Buffer>])[] = [
  ['a GIF that repeats for ever', () => gif(STEADY)],
  ['a GIF that repeats twice', () => gif({ ...STEADY, loop: 2 })],
  ['a GIF that says nothing of repeats', async () => once(await gif(STEADY))],
  ['a GIF with another delay for each frame', () => gif({ delays: [20, 500, 1000, 40], loop: 0 })],
  ['a GIF without delays', () => gif({ delays: [0, 0, 0], loop: 0 })],
  ['a GIF of two frames', () => gif({ delays: [700, 300], loop: 1 })],
  ['a GIF with transparent frames', () => film(STEADY, 4).gif({ delay: 100, loop: 0 }).toBuffer()],
  ['a GIF of few colours', () => film(STEADY).gif({ delay: 100, loop: 0, colours: 4 }).toBuffer()],
  [
    'a GIF with equal frames',
    () =>
      sharp(Buffer.alloc(60 * 150 * 3, 9), { raw: { width: 60, height: 150, channels: 3, pageHeight: 50 } })
        .gif({ delay: 80, keepDuplicateFrames: true })
        .toBuffer(),
  ],
  ['a long GIF', () => gif({ delays: Array.from({ length: 200 }, () => 30), loop: 0 })],
  ['a WebP that repeats for ever', () => webp(STEADY)],
  ['a WebP that repeats three times', () => webp({ ...STEADY, loop: 3 })],
  ['a WebP with another delay for each frame', () => webp({ delays: [20, 500, 1000, 40], loop: 0 })],
  ['a lossless WebP', () => film(STEADY).webp({ delay: 100, lossless: true }).toBuffer()],
  ['a WebP with transparent frames', () => film(STEADY, 4).webp({ delay: 100 }).toBuffer()],
]

describe('an animation', () => {
  it.each(ANIMATIONS)('keeps its frames, delays and repeats when it is made smaller: %s', async (_, make) => {
    const bytes = await make()
    const whole = await factsOf(bytes)
    const clean = await inspected(bytes)
    expect(clean).toMatchObject({ width: 60, height: 50, frames: whole.frames })
    expect(await factsOf(clean.bytes)).toEqual(whole)

    const small = await images.resize(clean.bytes, 30, 25)

    expect(await factsOf(small.bytes)).toEqual({ ...whole, width: 30, height: 25 })
    expect(small.contentType).toBe(clean.contentType)
  })

  it('keeps any delays and repeats', async () => {
    const any = fc.record({
      // Hundredths of a second, as GIF has them. Players show frames of one for a tenth of a second.
      delays: fc.array(
        fc.integer({ min: 2, max: 300 }).map((n) => n * 10),
        { minLength: 2, maxLength: 12 },
      ),
      loop: fc.integer({ min: 0, max: 100 }),
      make: fc.constantFrom(gif, webp),
    })
    await fc.assert(
      fc.asyncProperty(any, async ({ make, ...made }) => {
        const small = await images.resize((await inspected(await make({ ...made, width: 12, height: 10 }))).bytes, 6, 5)
        expect(await factsOf(small.bytes)).toMatchObject({ width: 6, height: 5, delay: made.delays, loop: made.loop })
      }),
      { numRuns: 40 },
    )
  })

  it('shows each frame in its colours when it is made smaller', async () => {
    const bytes = await film(STEADY).webp({ delay: 100, lossless: true }).toBuffer()
    const small = await images.resize(bytes, 30, 25)
    const [before, after] = await Promise.all(
      [bytes, small.bytes].map((image) => sharp(image, { animated: true }).removeAlpha().raw().toBuffer()),
    )
    for (const frame of [0, 1, 2]) {
      const [was, is] = [before?.subarray(frame * 60 * 50 * 3), after?.subarray(frame * 30 * 25 * 3)]
      for (const channel of [0, 1, 2]) expect(Math.abs((was?.[channel] ?? 0) - (is?.[channel] ?? 99))).toBeLessThan(6)
    }
  })

  it('an animation is refused when a frame behind the first one is broken', async () => {
    const bytes = await film({ ...STEADY, width: 300 })
      .webp({ delay: 100, lossless: true })
      .toBuffer()
    const last = bytes.lastIndexOf('VP8L') + 8
    bytes.fill(0xff, last, last + 6)
    expect(await images.inspect(bytes)).toBeNull()
  })
})

const picture = (background: string, width = 60, height = 50): Sharp =>
  sharp({ create: { width, height, channels: 3, background } })
const frames = (...colours: readonly string[]) => Promise.all(colours.map((colour) => picture(colour).png().toBuffer()))
const RGB = ['red', 'lime', 'blue']
const SECRET = 'Made by Ada in Cairo'
const note = () => pngChunk('tEXt', Buffer.from(`Author\0${SECRET}`))

const PNGS: readonly (readonly [string, () => Promise<ApngOptions>])[] = [
  ['that repeats for ever', async () => ({ frames: await frames(...RGB) })],
  ['that repeats twice', async () => ({ frames: await frames(...RGB), loops: 2 })],
  ['of two frames', async () => ({ frames: await frames('red', 'blue'), delay: 40 })],
  ['of one frame', async () => ({ frames: await frames('red') })],
  ['with another still image', async () => ({ frames: await frames(...RGB), still: await picture('white').png().toBuffer() })],
  [
    'with a smaller second frame',
    async () => ({
      frames: [await picture('red').png().toBuffer(), await picture('blue', 10, 8).png().toBuffer()],
      at: { left: 50, top: 42 },
    }),
  ],
  ['whose frames stand in pieces', async () => ({ frames: await frames(...RGB), pieces: 4 })],
  [
    'with a palette',
    async () => ({
      frames: await Promise.all(['red', 'red'].map((colour) => picture(colour).png({ palette: true }).toBuffer())),
    }),
  ],
  [
    'with transparency',
    async () => ({ frames: await Promise.all(RGB.map((colour) => picture(colour).ensureAlpha(0.5).png().toBuffer())) }),
  ],
  [
    'with 16 bits',
    async () => ({ frames: await Promise.all(RGB.map((colour) => picture(colour).toColourspace('rgb16').png().toBuffer())) }),
  ],
  [
    'of interlaced frames',
    async () => ({ frames: await Promise.all(RGB.map((colour) => picture(colour).png({ progressive: true }).toBuffer())) }),
  ],
  ['of many frames', async () => ({ frames: await frames(...Array.from({ length: 60 }, (_, at) => `rgb(${at}, 9, 9)`)) })],
]

describe('an animated PNG', () => {
  it.each(PNGS)('keeps its frames and loses its metadata: one %s', async (_, options) => {
    const made = await options()
    const plain = apng(made)

    const clean = await inspected(apng({ ...made, extra: [note()] }))

    expect(clean).toMatchObject({ contentType: 'image/png', width: 60, height: 50, frames: made.frames.length })
    expect(clean.bytes.includes(SECRET)).toBe(false)
    expect(clean.bytes.equals(plain)).toBe(true)
  })

  const without = (png: Buffer, drop: (name: string, index: number) => boolean): Buffer => {
    const kept = pngChunks(png).filter(({ name }, index) => !drop(name, index))
    return Buffer.concat([png.subarray(0, 8), ...kept.map(({ whole }) => whole)])
  }
  it.each<[string, (png: Buffer) => Buffer | Promise<Buffer>]>([
    ['lacks a frame', (png) => without(png, (name, index) => name === 'fdAT' && index > 5)],
    ['lacks the control of a frame', (png) => without(png, (name, index) => name === 'fcTL' && index > 5)],
    ['does not announce its frames', (png) => without(png, (name) => name === 'acTL')],
    [
      'has a frame of noise',
      async () => {
        const [first, second] = await frames('red', 'blue')
        const broken = Buffer.concat(
          pngChunks(second ?? Buffer.alloc(0)).map(({ name, data }) =>
            pngChunk(name, name === 'IDAT' ? Buffer.alloc(data.length, 7) : data),
          ),
        )
        return apng({ frames: [first ?? broken, Buffer.concat([(first ?? broken).subarray(0, 8), broken])] })
      },
    ],
    ['has a frame outside the image', async () => apng({ frames: await frames(...RGB), at: { left: 1, top: 0 } })],
    ['holds a page behind its end', (png) => Buffer.concat([png, Buffer.from('<script>alert(1)</script>')])],
  ])('an animated PNG is refused when it %s', async (_, damage) => {
    expect(await images.inspect(await damage(apng({ frames: await frames(...RGB) })))).toBeNull()
  })
})

describe('an animation of ten thousand frames', () => {
  const MANY = 10_000
  const FRAME = Buffer.from('21f90400000000002c00000000010001000002024c0100', 'hex')
  const HEAD = Buffer.concat([Buffer.from('GIF89a'), Buffer.from('01000100800000000000ffffff', 'hex')])
  const control = (at: number): Buffer => {
    const data = Buffer.alloc(26)
    for (const [index, value] of [at, 1, 1].entries()) data.writeUInt32BE(value, index * 4)
    return pngChunk('fcTL', data)
  }

  it.each([
    ['GIF', async () => Buffer.concat([HEAD, ...Array.from({ length: MANY }, () => FRAME), Buffer.from([0x3b])])],
    [
      'PNG',
      async () => {
        const png = await picture('red', 1, 1).png().toBuffer()
        const animated = apng({ frames: [png] })
        const end = animated.length - 12
        const many = Array.from({ length: MANY }, (_, at) => control(at + 1))
        return Buffer.concat([animated.subarray(0, end), ...many, animated.subarray(end)])
      },
    ],
  ])('an animation of ten thousand frames is refused by its name before it is decoded: a %s', async (_, make) => {
    const bytes = await make()
    const began = processorMs()
    expect(await images.inspect(bytes)).toEqual({ fault: 'imageFrames', params: { max: 1000 } })
    expect(processorMs() - began).toBeLessThan(1000)
  })
})
