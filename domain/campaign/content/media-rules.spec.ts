import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FileFacts } from '../saving/references.ts'
import type { FileRole } from './creatives.ts'
import { COMPANION, fileFault, FITTING, ICON, LANDSCAPE, SQUARE, VIDEO_SIZES } from './media-rules.ts'
import { BANNER_SIZES } from './options.ts'

const ROLES = Object.keys(FITTING) as FileRole[]
const size = fc.oneof(
  fc.constantFrom(...BANNER_SIZES, ...VIDEO_SIZES, COMPANION, ICON, LANDSCAPE, SQUARE),
  fc.record({ width: fc.integer({ min: 1, max: 700 }), height: fc.integer({ min: 1, max: 700 }) }),
)
const file = fc
  .tuple(
    fc.constantFrom(
      'image/png',
      'image/jpeg',
      'image/gif',
      'image/webp',
      'application/zip',
      'video/mp4',
      'video/webm',
      'audio/mpeg',
    ),
    size,
    fc.constantFrom(1000, 153_600, 153_601, 400_000),
  )
  .map(([contentType, { width, height }, bytes]): FileFacts => ({ contentType, size: bytes, width, height, seconds: null }))

/** Files that a query of the library finds by the conditions. */
function found({ types, sizes, mostBytes }: (typeof FITTING)[FileRole], { contentType, width, height, size: bytes }: FileFacts) {
  if (!types.some((type) => contentType.startsWith(type))) return false
  if (mostBytes !== null && bytes > mostBytes) return false
  if (sizes === 'square') return width === height
  return sizes === null || sizes.some((one) => one.width === width && one.height === height)
}

describe('the conditions of a role', () => {
  it.each(ROLES)('the conditions of the role %s hold for exactly the files that a save accepts in it', (role) => {
    fc.assert(
      fc.property(file, (facts) => {
        // A banner takes its size from its file, a native image one of two.
        const places = role === 'nativeImage' ? [LANDSCAPE, SQUARE] : [{ width: facts.width, height: facts.height }]
        const isKnown = role !== 'banner' || BANNER_SIZES.some((one) => one.width === facts.width && one.height === facts.height)
        const accepted = places.some(
          ({ width, height }) => fileFault(facts, { role, path: 'x', id: 'x', width, height }) === null,
        )
        expect(found(FITTING[role], facts)).toBe(accepted && isKnown)
      }),
    )
  })
})

describe('a file in its place', () => {
  const image = (width: number, height: number, over: Partial<FileFacts> = {}): FileFacts => ({
    contentType: 'image/png',
    size: 1000,
    width,
    height,
    seconds: null,
    ...over,
  })
  const track = image(0, 0, { contentType: 'audio/mpeg', width: null, height: null })
  const film = image(640, 360, { contentType: 'video/mp4' })

  it.each<[role: FileRole, sentence: string, code: number, file: FileFacts, width: number, height: number]>([
    ['dynamicImage', 'Please upload image with 1200x627 dimensions', 2, image(1200, 628), 0, 0], // covers CAM-CVAL-11
    ['dynamicLogo', 'The logo should be 1:1 (square)', 2, image(100, 101), 0, 0], // covers CAM-CVAL-12 CAM-CVAL-13
    ['nativeImage', 'Please upload image with 1200x627 dimensions', 2, image(1200, 628), 1200, 627], // covers CAM-CVAL-18
    ['nativeImage', 'Please upload image with 600x600 dimensions', 2, image(601, 600), 600, 600], // covers CAM-CVAL-19
    ['nativeLogo', 'Please upload image with 128x128 dimensions', 2, image(127, 128), 128, 128], // covers CAM-CVAL-20
    ['companion', 'Please upload image with 300x250 dimensions', 2, image(300, 251), 300, 250], // covers CAM-CVAL-28
    ['companion', 'A companion banner is JPG or PNG', 2, image(300, 250, { contentType: 'image/gif' }), 300, 250], // covers CAM-CVAL-29
    ['companion', 'A companion banner has at most 150k', 8, image(300, 250, { size: 153_601 }), 300, 250], // covers CAM-CVAL-30
    ['banner', 'the banner dimensions should be 728x90', 2, image(300, 250), 728, 90],
    ['banner', 'the banner dimensions should be 640x360', 2, film, 640, 360],
    ['video', 'Invalid dimensions. Please upload a 480x360, 640x360 or 1920x800 video.', 2, image(640, 360), 0, 0],
    ['nativeVideo', 'Invalid dimensions. Please upload a 480x360, 640x360 or 1920x800 video.', 2, track, 0, 0],
    ['track', "Uh-oh! It seems like the file you uploaded isn't a valid MP3. Please upload a valid MP3 file.", 2, film, 0, 0],
  ])('a file for %s is refused with "%s"', (role, sentence, code, file, width, height) => {
    const found = fileFault(file, { role, path: 'x', id: 'f', width, height })
    expect(found).toMatchObject({ path: 'x', code, message: sentence })
  })
})
