import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CleanImage } from '#commands/files/media'
import { iccProfile, type SPACES } from '#test/support/media/icc'
import { images } from './images.ts'

const WIDTH = 48
const HEIGHT = 32
const MOST_DIFFERENCE = 3

const folder = mkdtempSync(join(tmpdir(), 'placard-colour-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** All hues, from dark to light. */
const painted = (depth: 'uchar' | 'ushort' = 'uchar'): Sharp => {
  const most = depth === 'uchar' ? 255 : 65_535
  const values = Array.from({ length: WIDTH * HEIGHT }, (_, at) => {
    const [x, y] = [(at % WIDTH) / (WIDTH - 1), Math.floor(at / WIDTH) / (HEIGHT - 1)]
    return [x, y, 1 - (x + y) / 2].map((value) => Math.round(value * most))
  }).flat()
  const raw = { width: WIDTH, height: HEIGHT, channels: 3 } as const
  return depth === 'uchar' ? sharp(Buffer.from(values), { raw }) : sharp(Uint16Array.from(values), { raw })
}
const profileFile = (name: keyof typeof SPACES): string => {
  const path = join(folder, `${name}.icc`)
  writeFileSync(path, iccProfile(name))
  return path
}
const inSpace = (name: keyof typeof SPACES, image = painted()): Sharp => image.withIccProfile(profileFile(name))
const deep = (name: keyof typeof SPACES): Sharp => inSpace(name, painted('ushort').toColourspace('rgb16'))

const MADE: readonly (readonly [name: string, make: () => Sharp])[] = [
  ['a JPEG in Display P3', () => inSpace('Display P3').jpeg({ quality: 95, chromaSubsampling: '4:4:4' })],
  ['a PNG in Display P3', () => inSpace('Display P3').png()],
  ['a WebP in Display P3', () => inSpace('Display P3').webp({ lossless: true })],
  ['a JPEG in Adobe RGB', () => inSpace('Adobe RGB').jpeg({ quality: 95, chromaSubsampling: '4:4:4' })],
  ['a PNG with 16 bits in Adobe RGB', () => deep('Adobe RGB').png()],
  ['a PNG with 16 bits in ProPhoto', () => deep('ProPhoto').png()],
  ['a PNG in ProPhoto', () => inSpace('ProPhoto').png()],
  ['a WebP in Rec 2020', () => inSpace('Rec 2020').webp({ lossless: true })],
  ['a PNG whose profile exchanges red and green', () => inSpace('Red for green').png()],
  ['a PNG with 16 bits and no profile', () => painted('ushort').toColourspace('rgb16').png()],
  ['a CMYK JPEG', () => painted().toColourspace('cmyk').withIccProfile('cmyk').jpeg({ quality: 95, chromaSubsampling: '4:4:4' })],
  ['a grey PNG with 16 bits', () => painted('ushort').toColourspace('grey16').png()],
]

const rgb = (image: Buffer): Promise<Buffer> => sharp(image).toColourspace('srgb').removeAlpha().raw().toBuffer()

/** CIE L*a*b* of an sRGB pixel. */
function lab(bytes: Buffer, at: number): readonly number[] {
  const [r = 0, g = 0, b = 0] = [0, 1, 2].map((channel) => {
    const value = (bytes[at + channel] ?? 0) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  const [x = 0, y = 0, z = 0] = [
    (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047,
    0.2126729 * r + 0.7151522 * g + 0.072175 * b,
    (0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883,
  ].map((value) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116))
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

/** The mean difference of colours, as people see it (CIE76). */
function difference(one: Buffer, other: Buffer): number {
  expect(one.length).toBe(other.length)
  let sum = 0
  for (let at = 0; at < one.length; at += 3) {
    const [a, b] = [lab(one, at), lab(other, at)]
    sum += Math.hypot(...a.map((value, index) => value - (b[index] ?? 0)))
  }
  return sum / (one.length / 3)
}

const HAS_IMAGEMAGICK = String(spawnSync('convert', ['-version']).stdout).startsWith('Version: ImageMagick')

/** The image in sRGB by another program. */
async function byImageMagick(image: Buffer, isProfiled: boolean): Promise<Buffer> {
  const [from, to, profile] = ['from', 'to.png', 'srgb.icc'].map((name) => join(folder, name)) as [string, string, string]
  writeFileSync(from, image)
  const { icc } = await sharp(await painted().withIccProfile('srgb').png().toBuffer()).metadata()
  writeFileSync(profile, icc ?? '')
  execFileSync('convert', [from, ...(isProfiled ? ['-profile', profile] : []), '-strip', '-depth', '8', `PNG24:${to}`])
  return rgb(readFileSync(to))
}

describe.each(MADE)('the colours of %s', (_name, make) => {
  let image: Buffer
  let clean: CleanImage
  beforeAll(async () => {
    image = await make().toBuffer()
    clean = (await images.inspect(image)) as CleanImage
  })

  it('comes out in sRGB, with 8 bits and no profile', async () => {
    expect(clean).toMatchObject({ width: WIDTH, height: HEIGHT, frames: 1 })
    const { depth, space, icc, format } = await sharp(clean.bytes).metadata()
    expect([depth, icc, `image/${format}`]).toEqual(['uchar', undefined, clean.contentType])
    expect(['srgb', 'b-w']).toContain(space)
  })

  // Without ImageMagick the colours are compared with those that were painted, below.
  it.skipIf(!HAS_IMAGEMAGICK)('the image has the colours that ImageMagick makes of it', async () => {
    const isProfiled = (await sharp(image).metadata()).icc !== undefined
    expect(difference(await rgb(clean.bytes), await byImageMagick(image, isProfiled))).toBeLessThanOrEqual(MOST_DIFFERENCE)
  })
})

/** sRGB lies within these: what was painted comes back. The encoder of these tests writes 16 bits in a profile imprecisely. */
const WIDE = MADE.filter(([name]) => /P3|Adobe|ProPhoto|Rec 2020|exchanges/.test(name) && !name.includes('16 bits'))

describe('an image in a wider colour space than sRGB', () => {
  it.each(WIDE)('an image in a wider colour space than sRGB has the colours that were painted: %s', async (_name, make) => {
    const clean = (await images.inspect(await make().toBuffer())) as CleanImage
    expect(difference(await rgb(clean.bytes), await rgb(await painted().png().toBuffer()))).toBeLessThanOrEqual(MOST_DIFFERENCE)
  })

  it('an image in a wider colour space than sRGB has other colours when its profile is ignored', async () => {
    const image = await inSpace('Red for green').png().toBuffer()
    const ignored = await sharp(image, { ignoreIcc: true }).raw().toBuffer()
    expect(difference(ignored, await rgb(await painted().png().toBuffer()))).toBeGreaterThan(20)
  })

  it('keeps its colours when it is made smaller', async () => {
    const clean = (await images.inspect(await inSpace('Adobe RGB').png().toBuffer())) as CleanImage
    const small = await images.resize(clean.bytes, WIDTH / 2, HEIGHT / 2)
    const painting = await painted()
      .resize(WIDTH / 2, HEIGHT / 2)
      .png()
      .toBuffer()
    expect(difference(await rgb(small.bytes), await rgb(painting))).toBeLessThanOrEqual(MOST_DIFFERENCE)
  })
})

describe('an image in sRGB', () => {
  it.each([
    ['without a profile', () => painted().png()],
    ['with the profile of sRGB', () => painted().withIccProfile('srgb').png()],
    ['in grey', () => painted().toColourspace('b-w').jpeg()],
    ['with a palette', () => painted().png({ palette: true })],
  ] as const)('stays byte for byte: %s', async (_what, make) => {
    const image = await make().toBuffer()
    expect(((await images.inspect(image)) as CleanImage).bytes.equals(image)).toBe(true)
  })
})
