import { expect, it } from 'vitest'
import { ATTRIBUTION_TAGS, BANNER_SIZE_GROUPS, BANNER_SIZES, CONVERSION_GOALS, GOALS_BY_TYPE } from './options.ts'

it('offers four goals that count conversions', () => {
  expect([...CONVERSION_GOALS].sort()).toEqual([
    'APP_CUSTOM_EVENT',
    'APP_INSTALLS',
    'WEBSITE_CUSTOM_EVENT',
    'WEB_STANDARD_CONVERSION',
  ])
  const offered = Object.values(GOALS_BY_TYPE).flat() as readonly string[]
  expect(CONVERSION_GOALS.every((goal) => offered.includes(goal))).toBe(true)
})

// covers CONST-42
it('allows eight tags in a tracking address', () => {
  expect(ATTRIBUTION_TAGS).toEqual([
    'CLICK_ID',
    'CAMPAIGN_NAME',
    'CID',
    'SID',
    'CRID',
    'CREATIVE_TYPE',
    'CREATIVE_SIZE',
    'ANONYMOUS_ID',
  ])
})

// covers CONST-31 CONST-32
it('groups banner sizes into vertical and horizontal ones, each size once', () => {
  const named = (keys: readonly number[]) =>
    keys.map((key) => BANNER_SIZES.find((size) => size.key === key)).map((size) => `${size?.width}x${size?.height}`)
  expect(named(BANNER_SIZE_GROUPS.vertical)).toEqual(['300x600', '160x600', '240x400', '300x250', '250x250'])
  expect(named(BANNER_SIZE_GROUPS.horizontal)).toEqual(['970x90', '728x90', '320x50', '300x100'])
  const ascending = (a: number, b: number) => a - b
  expect(Object.values(BANNER_SIZE_GROUPS).flat().toSorted(ascending)).toEqual(
    BANNER_SIZES.map(({ key }) => key).toSorted(ascending),
  )
})
