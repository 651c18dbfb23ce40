import { describe, expect, it } from 'vitest'
import { DEFAULT_CONTENT, MONEY_KEYS, type CampaignContent } from './content.ts'
import { forAnotherAccount } from './copies.ts'

const source: CampaignContent = {
  ...DEFAULT_CONTENT,
  name: 'Summer',
  budget: 50_000_000,
  manual_cpx: true,
  user_cpx: 1_000_000,
  cpm: 400_000,
  cpx: 500_000,
  fixed_cpm: 600_000,
  targeting: {
    ...DEFAULT_CONTENT.targeting,
    regions: ['lagos'],
    segment_audiences: { includeAny: ['a'], include: ['b'], exclude: [] },
  },
}

describe('a replicate in another account', () => {
  // covers FP-14
  it('leaves audiences and whitelists behind, and keeps amounts in the same currency', () => {
    const { content, dropped } = forAnotherAccount(source, { sameCurrency: true })
    const { segment_audiences } = DEFAULT_CONTENT.targeting
    expect(content).toEqual({ ...source, targeting: { ...source.targeting, segment_audiences } })
    expect(dropped).toEqual(['targeting.segment_audiences', 'has_whitelist'])
  })

  it('begins with the amounts of a new campaign in another currency', () => {
    const { content, dropped } = forAnotherAccount(source, { sameCurrency: false })
    for (const key of MONEY_KEYS) expect(content[key]).toEqual(DEFAULT_CONTENT[key])
    expect([content.manual_cpx, content.name]).toEqual([false, 'Summer'])
    expect(dropped.slice(2).toSorted()).toEqual([...MONEY_KEYS].toSorted())
  })
})
