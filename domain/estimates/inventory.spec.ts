import { describe, expect, it } from 'vitest'
import { sizeShares, type InventoryPlace } from './inventory.ts'

const place = (creative_size: string, impression_count: number, creative_type: InventoryPlace['creative_type'] = 'banner') =>
  ({ creative_size, impression_count, creative_type }) as InventoryPlace

describe('the shares of banner sizes', () => {
  it('the shares of banner sizes are those of the impressions of banner places, the largest first, and every size has one', () => {
    const shares = sizeShares([place('300x250', 60), place('320x50', 30), place('300x250', 10), place('728x90', 900, 'native')])
    expect(shares).toHaveLength(10)
    expect(shares.slice(0, 2)).toEqual([
      { width: 300, height: 250, share: 0.7 },
      { width: 320, height: 50, share: 0.3 },
    ])
    expect(shares.slice(2).every(({ share }) => share === 0)).toBe(true)
  })

  it('banner sizes have no shares without places', () => {
    expect(sizeShares([]).map(({ share }) => share)).toEqual(Array.from({ length: 10 }, () => 0))
  })
})
