import { describe, expect, it } from 'vitest'
import { FORMAT_KEYS } from './image-format.ts'

describe('the number of an image format', () => {
  it('belongs to one content type', () => {
    expect(Object.values(FORMAT_KEYS)).toEqual([1, 2, 3, 4, 5, 6])
  })
})
