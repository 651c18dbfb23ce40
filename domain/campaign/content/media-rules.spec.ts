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

/** What a query of the library finds by the conditions. */
function found({ types, sizes, mostBytes }: (typeof FITTING)[FileRole], { contentType, width, height, size: bytes }: FileFacts) {
  if (!types.some((type) => contentType.startsWith(type))) return false
  if (mostBytes !== null && bytes > mostBytes) return false
  if (sizes === 'square') return width === height
  return sizes === null || sizes.some((one) => one.width === width && one.height === height)
}

describe('the conditions of a role', () => {
  it.each(ROLES)('of %s hold for exactly the files that a save accepts in it', (role) => {
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
