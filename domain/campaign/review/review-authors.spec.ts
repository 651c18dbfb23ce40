import { describe, expect, it } from 'vitest'
import { DEFAULT_CONTENT } from '../content/content.ts'
import type { CampaignEvent } from '../events.ts'
import { reviewAuthors } from './review-authors.ts'

const data = { id: 'c', space_id: 's', whitelabel_id: 'w', content: DEFAULT_CONTENT, replicated_from: null }
const created: CampaignEvent = { type: 'CampaignCreated', data }
const submitted: CampaignEvent = { type: 'CampaignSubmitted', data: { submission: 1, started_at: '2026-01-01T00:00:00.000Z' } }
const approved: CampaignEvent = { type: 'CampaignApproved', data: { submission: 1, version: 1, changes: [] } }
const changing = (path: string): CampaignEvent => ({
  type: 'CampaignUpdated',
  data: { changes: [{ path, from: null, to: 'x' }], restored: null, undone: null },
})
const authors = (...history: readonly (readonly [string, CampaignEvent])[]) =>
  [...reviewAuthors(history.map(([actor, event]) => ({ actor, event })))].sort()

describe('authors of a submission', () => {
  it('authors of a submission include its creator and everyone who submitted it', () =>
    expect(authors(['ada', created], ['bola', submitted])).toEqual(['ada', 'bola']))

  it.each([
    'product_url',
    'bidding_strategy.click_url',
    'bidding_strategy',
    'visuals.banners[b].file_id',
    'audio_ads',
    'native_ad_enabled',
  ])('authors of a submission include every user who changed the reviewed %s', (path) =>
    expect(authors(['ada', created], ['owner', changing(path)])).toContain('owner'),
  )

  it.each(['budget', 'cpx', 'exchange_id', 'bidding_strategy.website_promotion.secondary_events', 'name'])(
    'authors of a submission exclude a member of staff who changed only %s',
    (path) => expect(authors(['ada', created], ['owner', changing(path)])).toEqual(['ada']),
  )

  it('authors of a submission include only authors since the last approval', () =>
    expect(authors(['ada', created], ['ada', submitted], ['mod', approved], ['owner', changing('product_url')])).toEqual([
      'owner',
    ]))
})
