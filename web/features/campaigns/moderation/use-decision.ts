import { approveCampaign, rejectCampaign } from '#contract/moderation'
import { takeSecondLook } from '#contract/second-looks'
import { call } from '@/data/client'
import { moderationQueries } from '@/data/moderation-queries'
import { campaignQueries } from '@/data/campaign-queries'
import type { RejectValues } from './reject-reasons.ts'

/**
 * The viewed submission. The server compares its timestamp and refuses a later one, so moderators approve only what they have
 * seen.
 */
export type Submission = {
  readonly id: string
  readonly name: string
  readonly moderation_start_at: string | null
  /** The revision of an approval that a second moderator checks (fine print 104); absent for what waits for its review. */
  readonly approval?: number
}

export type Verdict = (
  | {
      readonly kind: 'approve'
      /** Lines of the checklist that were not ticked. */
      readonly openLines?: number
      /** Default: the campaign's own. */
      readonly chosen?: { readonly categories: readonly string[]; readonly exchanges: readonly string[] }
    }
  | {
      readonly kind: 'reject'
      readonly comment: string
      /** Source of the comment. */
      readonly typed: RejectValues
    }
) & {
  /** Places of the checklist's lines that were ticked, for the case that the decision comes back. */
  readonly ticked?: ReadonlySet<number>
}

export type Decision = { readonly submission: Submission; readonly verdict: Verdict }

function sendDecision({ submission, verdict }: Decision): Promise<unknown> {
  const { id: campaign_id, approval } = submission
  if (approval !== undefined) {
    const comment = verdict.kind === 'reject' ? { comment: verdict.comment } : {}
    const body = { campaign_id, approval, agrees: verdict.kind === 'approve', ...comment }
    return call(takeSecondLook, { body, keepalive: true })
  }
  const subject = { campaign_id, moderation_start_at: submission.moderation_start_at }
  if (verdict.kind === 'reject') return call(rejectCampaign, { body: { ...subject, comment: verdict.comment }, keepalive: true })
  const { chosen } = verdict
  const choice = chosen === undefined ? {} : { category_keys: [...chosen.categories], exchange_id: [...chosen.exchanges] }
  return call(approveCampaign, { body: { ...subject, ...choice }, keepalive: true })
}

/** A decision invalidates all views of campaigns. */
export const decisionMutation = {
  meta: {
    silent: true,
    invalidates: [campaignQueries.lists(), campaignQueries.details(), moderationQueries.all(), campaignQueries.logs()],
  },
  mutationFn: sendDecision,
}
