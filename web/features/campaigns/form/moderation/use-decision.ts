import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../../lib/toast.ts'
import { approveCampaign, rejectCampaign } from '../../../../../api/contract/moderation.ts'
import type { Campaign } from '../../../../../api/contract/campaign-body.ts'
import { AppError } from '../../../../api/app-error.ts'
import { call } from '../../../../api/client.ts'
import { moderationQueries } from '../../../../domain/moderation-queries.ts'
import { returnPath } from '../../../../domain/return-path.ts'
import { errorText } from '../../../../i18n/error-text.ts'
import { campaignQueries } from '../../campaign-queries.ts'

const UPDATED_WHILE_IN_MODERATION = 138

export type Decision =
  | { readonly kind: 'approve'; readonly categories: readonly string[]; readonly exchanges: readonly string[] }
  | { readonly kind: 'reject'; readonly comment: string }

/** Decides on exactly the submission that was looked at: a later one is refused by its moment and explained. */
export function useDecision(campaign: Campaign) {
  const { t } = useTranslation('moderation')
  const router = useRouter()
  const subject = { campaign_id: campaign.id, moderation_start_at: campaign.moderation_start_at }
  const mutation = useMutation({
    meta: {
      silent: true,
      invalidates: [campaignQueries.lists(), campaignQueries.details(), moderationQueries.all(), campaignQueries.logs()],
    },
    mutationFn: (decision: Decision) =>
      decision.kind === 'approve'
        ? call(approveCampaign, {
            body: { ...subject, category_keys: [...decision.categories], exchange_id: [...decision.exchanges] },
          })
        : call(rejectCampaign, { body: { ...subject, comment: decision.comment } }),
    onSuccess: (_, { kind }) => {
      toast.success(t(kind === 'approve' ? 'approved' : 'rejected'))
      router.history.push(returnPath())
    },
    onError: (error) => {
      if (!isStale(error)) toast.error(errorText(error))
    },
  })
  return { decide: mutation.mutate, pending: mutation.isPending, stale: isStale(mutation.error) }
}

const isStale = (error: Error | null) => error instanceof AppError && error.code === UPDATED_WHILE_IN_MODERATION
