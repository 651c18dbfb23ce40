import { describe, expect, it } from 'vitest'
import { decide } from '../campaign.ts'
import type { CampaignCommand, CommandFacts } from '../commands.ts'
import { DEFAULT_CONTENT } from '../content/content.ts'
import type { CampaignEvent } from '../events.ts'
import { NOTHING_LOOKED_UP } from './references.ts'
import type { CampaignPatch } from '../content/shape.ts'
import { initial as initialState, type CampaignState } from '../state.ts'
import { play } from '../status/time-and-money.ts'

const FACTS: CommandFacts = {
  now: '2026-06-15T12:00:00.000Z',
  available: 1e12,
  spentToday: 0,
  spentTotal: 0,
  baseBid: 0,
  maxMargin: 50,
  nameTaken: false,
  countryOffset: 3600,
  references: NOTHING_LOOKED_UP,
}
const OWNER = { newIds: [], mayWriteOwnerFields: true } as const
const ADVERTISER = { newIds: [], mayWriteOwnerFields: false } as const
const app = (bundle_id: string): CampaignPatch => ({
  bidding_strategy: {
    type: 'consideration',
    goal: 'APP_INSTALLS',
    app_promotion: { bundle_id, app_platform_type: 'android', mmp: 'adjust', app_name: bundle_id },
  },
})
const WEBSITE: CampaignPatch = { bidding_strategy: { type: 'awareness' } }

const created = (patch: CampaignPatch): CampaignCommand => ({
  type: 'CreateCampaign',
  id: 'c',
  spaceId: 's',
  whitelabelId: 'w',
  replicatedFrom: null,
  base: DEFAULT_CONTENT,
  publish: false,
  patch: {
    name: 'One',
    country: 'NG',
    budget: 50_000_000,
    product_url: 'https://nile.example',
    visuals: { banners: [{ id: 'b', width: 300, height: 250, file_id: 'f', url: '/f', creative_name: 'main' }] },
    ...patch,
  },
  ...OWNER,
})
const updated = (patch: CampaignPatch): CampaignCommand => ({ type: 'UpdateCampaign', patch, expected: null, ...OWNER })
const published = (patch: CampaignPatch): CampaignCommand => ({ type: 'PublishCampaign', patch, expected: null, ...OWNER })
const approved = ({ review }: CampaignState): CampaignCommand => ({
  type: 'ApproveCampaign',
  moderationStartAt: review.kind === 'pending' ? review.started_at : null,
  categoryKeys: null,
  exchangeId: null,
  ownWork: false,
})

type Revision = { readonly state: CampaignState; readonly events: readonly CampaignEvent[] }
type Asked = CampaignCommand | ((state: CampaignState) => CampaignCommand)

/** Every revision of a campaign after these requests, none of which may be refused. */
function lived(...asked: readonly Asked[]): readonly [Revision, ...Revision[]] {
  const revisions: Revision[] = []
  let state = initialState
  for (const one of asked) {
    const decision = decide(typeof one === 'function' ? one(state) : one, state, FACTS)
    if (decision.kind === 'rejected') throw new Error(JSON.stringify(decision.rejection))
    state = play(state, decision.events, FACTS)
    revisions.push({ state, events: decision.events })
  }
  return revisions as unknown as readonly [Revision, ...Revision[]]
}

function restored(revisions: readonly [Revision, ...Revision[]], revision: number) {
  const state = revisions.at(-1)?.state ?? initialState
  const content = revisions[revision - 1]?.state.head ?? DEFAULT_CONTENT
  const decision = decide({ type: 'RestoreRevision', restored: revision, content, expected: null, ...OWNER }, state, FACTS)
  if (decision.kind === 'rejected') throw new Error(JSON.stringify(decision.rejection))
  return { head: play(state, decision.events, FACTS).head, kept: decision.kept }
}

const changesIn = ({ events }: Revision) =>
  events.flatMap((event) => (event.type === 'CampaignUpdated' ? event.data.changes : []))
function undone(revisions: readonly [Revision, ...Revision[]], revision: number, by: typeof OWNER | typeof ADVERTISER) {
  const state = revisions.at(-1)?.state ?? initialState
  const own = revisions[revision - 1]
  const later = revisions.slice(revision).map((one) => ({ revision: one.state.revision, changes: changesIn(one) }))
  const changes = own === undefined ? [] : changesIn(own)
  const decision = decide({ type: 'UndoRevision', undone: revision, changes, later, ...by }, state, FACTS)
  return decision.kind === 'rejected' ? decision.rejection.code : play(state, decision.events, FACTS).head
}

describe('a restore', () => {
  it('a restore of another type after an app was approved keeps the app and its promotion', () => {
    const revisions = lived(
      created({ ...WEBSITE, budget: 40_000_000 }),
      updated(app('com.nile')),
      published({ budget: 60_000_000 }),
      approved,
    )
    const { head, kept } = restored(revisions, 1)
    expect(kept).toEqual(['bidding_strategy'])
    expect(head.bidding_strategy).toEqual(revisions[1]?.state.head.bidding_strategy)
    expect(head.budget).toBe(40_000_000)
  })

  it('a restore of an app after another type was approved keeps that type', () => {
    const revisions = lived(created(app('com.nile')), published(WEBSITE), approved)
    const { head, kept } = restored(revisions, 1)
    expect(kept).toEqual(['bidding_strategy'])
    expect(head.bidding_strategy.type).toBe('awareness')
  })

  it('a restore of another app of the same type keeps only the bundle', () => {
    const revisions = lived(created(app('com.nile')), published(app('com.lagos')), approved)
    const { head, kept } = restored(revisions, 1)
    expect(kept).toEqual(['bidding_strategy.app_promotion.bundle_id'])
    expect(head.bidding_strategy.app_promotion).toMatchObject({ bundle_id: 'com.lagos', app_name: 'com.nile' })
  })
})

describe('an undo', () => {
  const revisions = lived(
    created(WEBSITE),
    updated({ budget: 60_000_000, margin: 5 }),
    updated({ margin: 7 }),
    updated({ has_whitelist: true }),
    updated({ has_whitelist: false, name: 'Two' }),
  )

  it('an undo by a user without the right to owner fields reports no conflict in them, and keeps them', () => {
    expect(undone(revisions, 2, OWNER)).toBe(140)
    expect(undone(revisions, 2, ADVERTISER)).toMatchObject({ budget: 50_000_000, margin: 7 })
  })

  it('does not change whether the campaign has whitelists', () => {
    expect(undone(revisions, 4, OWNER)).toMatchObject({ has_whitelist: false, name: 'Two' })
  })
})
