import { expect, it } from 'vitest'
import { ATTRIBUTION_TAGS, CONVERSION_GOALS, GOALS_BY_TYPE } from './options.ts'

// covers CONST-14..17
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
