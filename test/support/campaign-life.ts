import { NOTHING_LOOKED_UP } from '#domain/campaign/saving/references'
import { play } from '#domain/campaign/status/time-and-money'
import { decide } from '#domain/campaign/campaign'
import type { CampaignCommand, CommandFacts, Decision } from '#domain/campaign/commands'
import { servedContent } from '#domain/campaign/review/served-content'
import { DEFAULT_CONTENT } from '#domain/campaign/content/content'
import type { CampaignEvent } from '#domain/campaign/events'
import type { CampaignPatch } from '#domain/campaign/content/shape'
import { initial as initialState, type CampaignState } from '#domain/campaign/state'
import { served, verdictOf, type Compliance, type ServingDecision } from '#domain/campaign/status/status'
import {
  servedOf,
  servesNative,
  type Asked,
  type Content,
  type Model,
  type Outside,
  type Verdict,
} from '../properties/campaign-model.ts'

/** Translates between the campaigns of the model and of the product. */

const SAVE = { newIds: [], mayWriteOwnerFields: true } as const
export const iso = (instant: number): string => new Date(instant).toISOString()
const isoOrNull = (instant: number | null): string | null => (instant === null ? null : iso(instant))

const bannersOf = (banners: Content['banners']) =>
  Object.entries(banners).map(([id, file]) => ({
    id: `banner-${id}`,
    width: 300,
    height: 250,
    file_id: `file-${id}-${file}`,
    url: `/files/${id}-${file}`,
    creative_name: `banner_${id}`,
  }))

const image = (file_id: string, width: number, height: number) => ({ file_id, width, height, url: null })
const nativeOf = (material: number) => ({
  id: 'native',
  creative_name: 'native_ad',
  body: `Text ${material}`,
  call_to_action: 'Buy',
  advertiser: 'Shop',
  images: [image('file-image', 1200, 627)],
  logo: image('file-logo', 128, 128),
})

const creativeId = (id: string): string => (id === 'native' ? id : `banner-${id}`)
const modelId = (creative: string): string => (creative === 'native' ? creative : creative.slice(7))

/** A patch of the model's content as a request body. */
export function patchOf(patch: Partial<Content>): CampaignPatch {
  const keys: { readonly [K in keyof Content]: (value: Content[K]) => CampaignPatch } = {
    name: (name) => ({ name }),
    url: (url) => ({ product_url: `https://shop.example/${url}` }),
    banners: (banners) => ({ visuals: { banners: bannersOf(banners) } }),
    native: (material) => ({ native_ad: material === 0 ? null : nativeOf(material) }),
    nativeOn: (native_ad_enabled) => ({ native_ad_enabled }),
    budget: (budget) => ({ budget }),
    type: (type) => ({ budget_type_key: type }),
    start: (start) => ({ campaign_start_at: isoOrNull(start) }),
    end: (end) => ({ campaign_end_at: isoOrNull(end) }),
    exchanges: (exchanges) => ({ exchange_id: exchanges }),
  }
  const parts = Object.entries(patch).map(([key, value]) => (keys[key as keyof Content] as (of: unknown) => CampaignPatch)(value))
  return Object.assign({}, ...parts) as CampaignPatch
}

/** The part of the product's content that the model has. */
export function contentOf({ head }: CampaignState): Content {
  const instant = (text: string | null) => (text === null ? null : Date.parse(text))
  return {
    name: head.name,
    url: Number(head.product_url?.split('/').at(-1)),
    banners: Object.fromEntries(head.visuals.banners.map(({ id, file_id }) => [id.slice(7), Number(file_id.split('-')[2])])),
    native: Number(head.native_ad?.body?.split(' ')[1] ?? 0),
    nativeOn: head.native_ad_enabled,
    budget: head.budget ?? 0,
    type: head.budget_type_key === 1 ? 1 : 2,
    start: instant(head.campaign_start_at),
    end: instant(head.campaign_end_at),
    exchanges: head.exchange_id,
  }
}

const compliance = (status: Verdict): Compliance => ({ status, topics: [] })
/** One compliance check decides and the others agree: per exchange the worst one counts. */
export const serving = (verdict: Verdict): ServingDecision => ({
  dealsPolicyCompliance: compliance('approved'),
  networkPolicyCompliance: compliance(verdict),
  platformPolicyCompliance: compliance('approved'),
})

export const factsOf = (out: Outside): CommandFacts => ({
  now: iso(out.now),
  available: out.available,
  spentToday: out.spentToday,
  spentTotal: out.spentTotal,
  ...(out.totalSpentAt === undefined ? {} : { totalSpentAt: iso(out.totalSpentAt) }),
  baseBid: 0,
  maxMargin: 0,
  nameTaken: false,
  countryOffset: 3600,
  references: NOTHING_LOOKED_UP,
})

export const create = (content: Content, publish: boolean): CampaignCommand => ({
  type: 'CreateCampaign',
  id: 'one',
  spaceId: 'space',
  whitelabelId: 'label',
  replicatedFrom: null,
  base: DEFAULT_CONTENT,
  publish,
  patch: { ...patchOf(content), country: 'NG', bidding_strategy: { type: 'awareness' } },
  ...SAVE,
})

/** History of a campaign that restore and undo need. */
export type Past = readonly { readonly state: CampaignState; readonly events: readonly CampaignEvent[] }[]
const changesIn = (events: readonly CampaignEvent[]) =>
  events.flatMap((event) => (event.type === 'CampaignUpdated' || event.type === 'CampaignApproved' ? event.data.changes : []))

/** The command for a request of the model; `past[r - 1]` is the state after revision r. */
export function commandOf(asked: Asked, state: CampaignState, past: Past): CampaignCommand {
  const token = (which: 'right' | 'wrong' | 'none'): string | null =>
    which === 'none' ? null : which === 'right' && state.review.kind === 'pending' ? state.review.started_at : iso(0)
  switch (asked.do) {
    case 'update':
    case 'publish': {
      const type = asked.do === 'update' ? 'UpdateCampaign' : 'PublishCampaign'
      return { type, patch: patchOf(asked.patch), expected: asked.expected, ...SAVE }
    }
    case 'approve':
      return {
        type: 'ApproveCampaign',
        moderationStartAt: token(asked.token),
        categoryKeys: null,
        exchangeId: asked.exchanges,
        ownWork: false,
      }
    case 'reject':
      return { type: 'RejectCampaign', moderationStartAt: token(asked.token), comment: asked.comment }
    case 'run':
      return { type: 'RunCampaign' }
    case 'pause':
      return { type: 'PauseCampaign' }
    case 'toggle':
      return { type: 'ToggleArchive' }
    case 'policies':
      return { type: 'KeepClock' }
    case 'exchange': {
      const verdict = { exchange: asked.exchange, creativeId: creativeId(asked.creative), contentVersion: null }
      return { type: 'DecideExchange', verdicts: [{ ...verdict, decision: serving(asked.verdict) }] }
    }
    case 'restore': {
      const content = past[asked.revision - 1]?.state.head ?? state.head
      return { type: 'RestoreRevision', restored: asked.revision, content, expected: null, ...SAVE }
    }
    case 'undo': {
      const later = past.slice(asked.revision).map(({ state: then, events }) => ({
        revision: then.revision,
        changes: changesIn(events),
      }))
      const changes = changesIn(past[asked.revision - 1]?.events ?? [])
      return { type: 'UndoRevision', undone: asked.revision, changes, later, ...SAVE }
    }
  }
}

export type Step = { readonly decision: Decision; readonly state: CampaignState }

/** Decides and, unless it is refused, applies the events to the state. */
export function take(command: CampaignCommand, state: CampaignState, out: Outside): Step {
  const facts = factsOf(out)
  const decision = decide(command, state, facts)
  return { decision, state: decision.kind === 'events' ? play(state, decision.events, facts) : state }
}

/** The product's state in the terms of the model, for comparison. */
export function viewOf(state: CampaignState): Record<string, unknown> {
  const verdicts = Object.entries(state.decisions).map(([exchange, byCreative]) => [
    exchange,
    Object.fromEntries(Object.entries(byCreative).map(([id, decision]) => [modelId(id), verdictOf(decision)])),
  ])
  return {
    archived: state.archived,
    head: contentOf(state),
    approved: state.approved !== null,
    served: served(state)
      .map(({ id }) => modelId(id))
      .sort(),
    servesNative: servedContent(state)?.native_ad_enabled ?? false,
    review: state.review.kind,
    intent: state.intent,
    verdicts: filled(Object.fromEntries(verdicts)),
    flight: state.flight,
    dayReached: state.day_budget === 'reached',
    totalSpent: state.total_budget === 'spent',
    short: state.funding === 'short',
    launched: state.launched !== null,
    submissions: state.submissions,
    revision: state.revision,
    contentRevision: state.content_revision,
  }
}

export function viewOfModel(model: Model): Record<string, unknown> {
  const { commits: _, endedAt: _e, spentAt: _s, ...rest } = model
  const serving = { served: [...servedOf(model)].sort(), servesNative: servesNative(model) }
  return { ...rest, ...serving, approved: model.approved !== null, review: model.review.kind, verdicts: filled(model.verdicts) }
}

/** An exchange whose verdicts were all removed equals one that never gave any. */
const filled = (verdicts: Model['verdicts']): Model['verdicts'] =>
  Object.fromEntries(Object.entries(verdicts).filter(([, byBanner]) => Object.keys(byBanner).length > 0))

export const unborn = initialState
