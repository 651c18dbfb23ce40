import { equal } from '../../domain/campaign/changes.ts'
import { DEFAULT_CONTENT, type CampaignContent, type ContentKey } from '../../domain/campaign/content.ts'
import { reviewedOf, type Reviewed } from '../../domain/campaign/reviewed.ts'
import type { CampaignState } from '../../domain/campaign/state.ts'
import type { Approved, Cause, FactName } from '../../domain/campaign/status.ts'

/**
 * A campaign's state as rows keep it, JSON text of a third of its size: that is most of what writing a row costs. Left out is what
 * follows from the rest: fields at their default, and approved content that is the head's. The same state is always packed into the
 * same text.
 */
type PackedState = Omit<CampaignState, 'head' | 'approved' | 'causes'> & {
  readonly head: Partial<CampaignContent>
  readonly approved: null | (Omit<Approved, 'reviewed'> & { readonly reviewed: Reviewed | null })
  readonly causes: { readonly [Fact in FactName]?: readonly [Cause['at'], Cause['revision'], Cause['event'], Cause['actor']] }
}

const KEYS = Object.keys(DEFAULT_CONTENT) as ContentKey[]
const FACTS: readonly FactName[] = [
  'archived',
  'head',
  'approved',
  'review',
  'intent',
  'exchanges',
  'flight',
  'day_budget',
  'total_budget',
  'funding',
  'launched',
]

export function packState(state: CampaignState): string {
  const head: { [key: string]: unknown } = {}
  for (const key of KEYS) if (!equal(state.head[key], DEFAULT_CONTENT[key])) head[key] = state.head[key]
  const causes: { [Fact in FactName]?: readonly [string, number, Cause['event'], string] } = {}
  for (const fact of FACTS) {
    const cause = state.causes[fact]
    if (cause !== undefined) causes[fact] = [cause.at, cause.revision, cause.event, cause.actor]
  }
  const { approved } = state
  const same = approved !== null && equal(approved.reviewed, reviewedOf(state.head))
  const packed: PackedState = {
    ...state,
    head,
    approved: approved && { ...approved, reviewed: same ? null : approved.reviewed },
    causes,
  }
  return JSON.stringify(packed)
}

export function unpackState(text: string): CampaignState {
  const packed: PackedState = JSON.parse(text)
  const head: CampaignContent = { ...DEFAULT_CONTENT, ...packed.head }
  const causes: { [Fact in FactName]?: Cause } = {}
  for (const fact of FACTS) {
    const cause = packed.causes[fact]
    if (cause !== undefined) causes[fact] = { at: cause[0], revision: cause[1], event: cause[2], actor: cause[3] }
  }
  const { approved } = packed
  return { ...packed, head, approved: approved && { ...approved, reviewed: approved.reviewed ?? reviewedOf(head) }, causes }
}
