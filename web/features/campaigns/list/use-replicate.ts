import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { createCampaign } from '#contract/campaign'
import { campaignQueries } from '@/data/campaign-queries'
import { call } from '@/data/client'
import { toast } from '@/lib/toast'

/** Reports values that are not copied and must be set again: money in another currency, audiences and whitelists. */
async function reportDropped(paths: readonly string[]) {
  const texts = [import('@/i18n/texts/log'), import('@/i18n/texts/form'), import('@/i18n/texts/owner')]
  const [{ pathLabel }] = await Promise.all([import('../change-log/log-labels.ts'), ...texts])
  toast.info(i18next.t('campaigns:replicate.dropped', { fields: paths.map(pathLabel).join(', ') }))
}

/** Copies a campaign into an account, reports what could not be copied and opens the copy. */
export function useReplicate() {
  const { t } = useTranslation('campaigns')
  const navigate = useNavigate()
  return useMutation({
    meta: { invalidates: [campaignQueries.lists(), campaignQueries.details()] },
    mutationFn: ({ id, spaceId }: { readonly id: string; readonly spaceId: string }) =>
      call(createCampaign, { body: { replicated_from: id, space_id: spaceId } }),
    onSuccess: (copy) => {
      if (!('id' in copy)) return
      toast.success(t('done.replicate', { name: copy.name }))
      if (copy.dropped?.length) void reportDropped(copy.dropped)
      void navigate({ to: '/campaign/edit/$id', params: { id: copy.id }, search: { tab: 'basicInfo' } })
    },
  })
}
