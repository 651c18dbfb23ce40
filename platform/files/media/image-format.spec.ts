import { expect, it } from 'vitest'
import { FORMAT_KEYS, formatKey } from './image-format.ts'

// covers FILE-07
it('six image formats have a number, all others have none', () => {
  expect(FORMAT_KEYS).toEqual({
    'image/png': 1,
    'image/jpeg': 2,
    'image/gif': 3,
    'image/svg+xml': 4,
    'image/x-icon': 5,
    'image/webp': 6,
  })
  expect(['image/webp', 'image/avif', 'toString'].map(formatKey)).toEqual([6, null, null])
})
