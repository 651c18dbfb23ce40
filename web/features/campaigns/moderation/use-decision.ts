import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { approveCampaign, rejectCampaign } from '#contract/moderation'
import { call } from '@/data/client'
import { moderationQueries } from '@/data/moderation-queries'
import { campaignQueries } from '@/data/campaign-queries'
import { toast } from '@/lib/toast'

/**
 * The viewed submission. The server compares its timestamp and refuses a later one, so moderators approve only what they have
 * seen.
 */
export type Submission = { readonly id: string; readonly name: string; readonly moderation_start_at: string | null }

export type Verdict =
  | {
      readonly kind: 'approve'
      /** Default: the campaign's own. */
      readonly chosen?: { readonly categories: readonly string[]; readonly exchanges: readonly string[] }
    }
  | { readonly kind: 'reject'; readonly comment: string }

type Decision = { readonly submission: Submission; readonly verdict: Verdict }

function sendDecision({ submission, verdict }: Decision) {
  const subject = { campaign_id: submission.id, moderation_start_at: submission.moderation_start_at }
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

/** Decides immediately. The screen shows a refusal in place. */
export function useDecision(submission: Submission, onDecided: () => void) {
  const { t } = useTranslation('moderation')
  const { mutate, isPending, error } = useMutation({
    ...decisionMutation,
    onSuccess: (_, { verdict, submission: { name } }) => {
      toast.success(t(verdict.kind === 'approve' ? 'approved' : 'rejected'), { description: name })
      onDecided()
    },
  })
  return { decide: (verdict: Verdict) => mutate({ submission, verdict }), pending: isPending, refusal: error }
}
