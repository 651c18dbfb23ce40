import type { CampaignEvent } from '#domain/campaign/events'
import { DEFAULT_CONTENT, type CampaignContent } from '#domain/campaign/content/content'
import type { ComplianceStatus } from '#domain/campaign/status/status'
import type { Change } from '#domain/kit/json-changes'
import { minute } from './given-events.ts'

/** Events of campaigns in short forms. */

const BANNER = { id: 'b', file_id: 'f', width: 300, height: 250, url: null, creative_name: 'b', type_key: 1, size_key: 106 }

/** Content with one banner for one exchange. */
export const CONTENT: CampaignContent = {
  ...DEFAULT_CONTENT,
  name: 'Nile Cruise',
  exchange_id: ['google'],
  visuals: { ...DEFAULT_CONTENT.visuals, banners: [BANNER] },
}

export const created = (content: Partial<CampaignContent> = {}, id = 'c'): CampaignEvent => ({
  type: 'CampaignCreated',
  data: { id, space_id: 'nile', whitelabel_id: 'dsp', content: { ...CONTENT, ...content }, replicated_from: null },
})
export const saved = (...changes: readonly Change[]): CampaignEvent => ({
  type: 'CampaignUpdated',
  data: { changes, restored: null, undone: null },
})
export const submitted = (submission: number): CampaignEvent => ({
  type: 'CampaignSubmitted',
  data: { submission, started_at: minute(submission) },
})
export const withdrawn = (submission: number): CampaignEvent => ({ type: 'SubmissionWithdrawn', data: { submission } })
export const approved = (submission: number, ...changes: readonly Change[]): CampaignEvent => ({
  type: 'CampaignApproved',
  data: { submission, version: submission, changes },
})
export const rejected = (submission: number): CampaignEvent => ({
  type: 'CampaignRejected',
  data: { submission, comment: 'Blurred' },
})
export const decided = (status: ComplianceStatus, exchange = 'google'): CampaignEvent => {
  const compliance = { status, topics: [] }
  const decision = {
    dealsPolicyCompliance: compliance,
    networkPolicyCompliance: compliance,
    platformPolicyCompliance: compliance,
  }
  return { type: 'ExchangeDecided', data: { exchange, creative_id: 'b', content_version: 1, decision } }
}
export const flight = (now: 'upcoming' | 'open' | 'ended'): CampaignEvent => ({
  type: 'FlightChanged',
  data: { flight: now, due: null },
})
export const commented: CampaignEvent = { type: 'CampaignCommented', data: { comment: 'Ask the owner' } }
export const secondLook = (outcome: 'agreed' | 'disagreed' | 'noted'): CampaignEvent => ({
  type: 'SecondLookTaken',
  data: { approval: 2, outcome, comment: '' },
})
export const dayBudget = (type: 'DayBudgetReached' | 'DayBudgetReopened'): CampaignEvent => ({
  type,
  data: { day: '2026-11-01' },
})

/** An event without data. */
export const plain = (
  type: Extract<CampaignEvent, { readonly data: Readonly<Record<string, never>> }>['type'] | 'TotalBudgetSpent',
): CampaignEvent => ({ type, data: {} })

/** A campaign that is approved, cleared by its exchange, on and launched. */
export const RUNNING: readonly CampaignEvent[] = [
  submitted(1),
  plain('CampaignSwitchedOn'),
  approved(1),
  decided('approved'),
  plain('CampaignLaunched'),
]
