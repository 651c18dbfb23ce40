import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaignOut } from '#api/areas/campaign/wire'
import { applyJson } from '#domain/kit/json-changes'
import type { CampaignEvent } from '#domain/campaign/events'
import type { CampaignCommand } from '#domain/campaign/commands'
import { contentChanges, emptyLogState, factChanges, logState } from '#domain/campaign/log-state'
import type { CampaignPatch } from '#domain/campaign/content/shape'
import type { CampaignState } from '#domain/campaign/state'
import { needsModeration, served } from '#domain/campaign/status/status'
import { creativeStatus, pendingVerdicts } from '#projections/campaign/list/apply'
import { create, serving, take, unborn } from '../support/campaign-life.ts'
import { runs } from '../support/properties.ts'
import type { Outside } from './campaign-model.ts'

const OUT: Outside = {
  now: Date.UTC(2026, 5, 1, 9),
  spentToday: 0,
  spentTotal: 0,
  available: 1e9,
}
const SAVE = { newIds: [], mayWriteOwnerFields: true } as const

/** Ids that may have been stored before ids were validated: names of object properties, and characters of paths. */
const NASTY = [
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'a]b',
  'a].b',
  'a.b',
  '[',
  ']',
  '.',
  'a[0].b',
  ' ',
  'plain',
  '7',
]

type Banners = readonly { readonly id: string; readonly file: number }[]
const bannersOf = (banners: Banners): CampaignPatch => ({
  visuals: {
    banners: banners.map(({ id, file }) => ({
      id,
      width: 300,
      height: 250,
      file_id: `file-${file}`,
      url: `/files/${file}`,
      creative_name: 'banner',
    })),
  },
})

const CONTENT = {
  name: 'a',
  url: 1,
  banners: {},
  native: 0,
  nativeOn: false,
  budget: 50_000_000,
  type: 2,
  start: null,
  end: null,
  exchanges: [],
} as const
const born = (banners: Banners): CampaignCommand => {
  const command = create(CONTENT, true)
  return command.type === 'CreateCampaign' ? { ...command, patch: { ...command.patch, ...bannersOf(banners) } } : command
}
const update = (banners: Banners): CampaignCommand => ({
  type: 'UpdateCampaign',
  patch: bannersOf(banners),
  expected: null,
  ...SAVE,
})
const publish = (banners: Banners): CampaignCommand => ({
  type: 'PublishCampaign',
  patch: bannersOf(banners),
  expected: null,
  ...SAVE,
})
const approve = ({ review }: CampaignState): CampaignCommand => ({
  type: 'ApproveCampaign',
  moderationStartAt: review.kind === 'pending' ? review.started_at : null,
  categoryKeys: null,
  exchangeId: null,
  ownWork: false,
})
const decided = (creativeId: string, verdict: 'approved' | 'disapproved'): CampaignCommand => ({
  type: 'DecideExchange',
  verdicts: [
    {
      exchange: 'google',
      creativeId,
      contentVersion: null,
      decision: serving(verdict),
    },
  ],
})

/** Folds a campaign for all readers; an exception here would stop a read model. */
function read(before: CampaignState, after: CampaignState, events: readonly CampaignEvent[]): void {
  const changes = [...events.flatMap(contentChanges), ...factChanges(before, after)]
  const log = applyJson(before.revision === 0 ? emptyLogState() : logState(before), changes)
  expect(log).toEqual(logState(after))
  expect(JSON.parse(JSON.stringify(after))).toEqual(after)
  const ids = after.head.visuals.banners.map(({ id }) => id)
  for (const { id, kind } of served(after)) expect([ids.includes(id), kind]).toEqual([true, 'banner'])
  creativeStatus(after)
  for (const { creativeId } of pendingVerdicts(after)) expect(ids).toContain(creativeId)
  const viewer = {
    actor: ADMIN,
    seesOwnerFields: true,
    actorName: (id: string) => id,
    now: after.at,
    audiences: null,
  }
  for (const banner of campaignOut(after, viewer).visuals.banners) {
    expect(typeof (banner.content_version ?? 0)).toBe('number')
    expect(typeof banner.creativeServingDecision).toBe('object')
  }
}
const ADMIN = {
  userId: 'u',
  roles: ['SYSTEM_ADMIN'],
  whitelabelId: 'w',
  homeSpaceId: 's',
  spaceId: 's',
} as const

function step(command: CampaignCommand, state: CampaignState): CampaignState {
  const { decision, state: next } = take(command, state, OUT)
  read(state, next, decision.kind === 'events' ? decision.events : [])
  return next
}

const banners = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom(...NASTY),
    file: fc.integer({ min: 1, max: 2 }),
  }),
  {
    selector: ({ id }) => id,
    minLength: 1,
    maxLength: 4,
  },
)
const asked = fc.oneof(
  banners.map((of) => ({ do: 'update' as const, banners: of })),
  banners.map((of) => ({ do: 'publish' as const, banners: of })),
  fc.constant({ do: 'approve' as const }),
  fc.record({
    do: fc.constant('decide' as const),
    id: fc.constantFrom(...NASTY),
    verdict: fc.constantFrom('approved' as const, 'disapproved' as const),
  }),
)

describe('creatives with any id', () => {
  it('creatives with any id fold in every read model, and a save stores exactly the sent banners', () => {
    fc.assert(
      fc.property(banners, fc.array(asked, { maxLength: 10, size: 'max' }), (first, steps) => {
        let state = step(born(first), unborn)
        for (const one of steps) {
          if (one.do === 'approve') state = step(approve(state), state)
          else if (one.do === 'decide') state = step(decided(one.id, one.verdict), state)
          else {
            state = step(one.do === 'update' ? update(one.banners) : publish(one.banners), state)
            const stored = state.head.visuals.banners.map(({ id, file_id }) => `${id} ${file_id}`)
            expect(stored.sort()).toEqual(one.banners.map(({ id, file }) => `${id} file-${file}`).sort())
          }
        }
      }),
      { numRuns: runs(300) },
    )
  })

  it('creatives with any id keep two texts with one index, and remove them separately', () => {
    const titled = (...values: readonly string[]): CampaignCommand => {
      const titles = values.map((value) => ({ index: 0, value }))
      return { type: 'UpdateCampaign', patch: { dynamic_ad: { id: 'd', titles } }, expected: null, ...SAVE }
    }
    const titlesOf = ({ head }: CampaignState) => head.dynamic_ad?.titles.map(({ value }) => value)
    const one = step(titled('one'), step(born([{ id: 'b', file: 1 }]), unborn))
    const two = step(titled('one', 'two'), one)
    expect([titlesOf(two), titlesOf(step(titled('two'), two))]).toEqual([['one', 'two'], ['two']])
  })

  it.each(NASTY)('creatives with any id need moderation for another image under the id %j', (id) => {
    const pending = step(born([{ id, file: 1 }]), unborn)
    const approved = step(approve(pending), pending)
    expect(served(approved).map((creative) => creative.id)).toEqual([id])
    expect(needsModeration(step(update([{ id, file: 2 }]), approved))).toBe(true)
  })
})
