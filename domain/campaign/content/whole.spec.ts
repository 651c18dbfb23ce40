import { describe, expect, it } from 'vitest'
import { completeRecord } from '#domain/kit/fields'
import type { CampaignEvent, Meta } from '../events.ts'
import { contentChanges, emptyLogState, factChanges, logState } from '../log-state.ts'
import { evolve, initial as initialState } from '../state.ts'
import { diffJson } from '#domain/kit/json-changes'
import { CONTENT_FIELDS, DEFAULT_CONTENT, type CampaignContent } from './content.ts'
import { BANNER } from './fields/creatives.ts'
import { wholeContent } from './whole.ts'

const BANNERS = [completeRecord(BANNER, { id: 'b', width: 300, height: 250, file_id: 'f' })]
const meta = (revision: number): Meta => ({ at: '2026-06-01T00:00:00.000Z', revision, actor: 'ada' })

/** A value as it was stored before a field was there. */
const without = <T extends object>(value: T, key: string): T =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)) as T
const older: CampaignContent = without(
  {
    ...DEFAULT_CONTENT,
    placement: without(DEFAULT_CONTENT.placement, 'languages'),
    visuals: { banners: BANNERS.map((banner) => without(banner, 'size_key')) },
  },
  'disregard_targeting',
)
const created: CampaignEvent = {
  type: 'CampaignCreated',
  data: { id: 'c', space_id: 's', whitelabel_id: 'w', content: older, replicated_from: null },
}
const bannerAdded: CampaignEvent = {
  type: 'CampaignUpdated',
  data: {
    changes: [{ path: 'visuals.banners[n]', from: null, to: { ...without(BANNERS[0]!, 'size_key'), id: 'n' } }],
    restored: null,
    undone: null,
  },
}

describe('content of events that are older than a field', () => {
  it('content of events that are older than a field has the initial value of the field at every depth', () => {
    expect(wholeContent(older)).toEqual({ ...DEFAULT_CONTENT, visuals: { banners: BANNERS } })
  })

  it('content of events that are older than a field is the same object when no field is missing', () => {
    const content = { ...DEFAULT_CONTENT, visuals: { banners: BANNERS } }
    expect(wholeContent(content)).toBe(content)
  })

  it('content of events that are older than a field is whole in the state, and the change log is the difference of the states', () => {
    const states = [initialState]
    for (const event of [created, bannerAdded]) {
      const before = states.at(-1)!
      const after = evolve(before, event, meta(states.length))
      const from = before.revision === 0 ? emptyLogState() : logState(before)
      expect([...contentChanges(event), ...factChanges(before, after)]).toEqual(diffJson(from, logState(after)))
      states.push(after)
    }
    const head = states.at(-1)!.head
    expect(Object.keys(head).sort()).toEqual(Object.keys(CONTENT_FIELDS).sort())
    expect(head.placement).toEqual(DEFAULT_CONTENT.placement)
    expect(head.visuals.banners).toEqual([BANNERS[0], { ...BANNERS[0], id: 'n' }])
  })
})
