import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import type { ListRow } from '../../../api/contract/campaign-list.ts'
import { createCampaign, pauseCampaign, runCampaign, toggleArchive } from '../../../api/contract/campaign.ts'
import { call } from '../../api/client.ts'
import { statusName } from '../../domain/campaign-status.ts'
import { campaignQueries } from './campaign-queries.ts'

type Target = Pick<ListRow, 'id' | 'name'>
const meta = { invalidates: [campaignQueries.lists(), campaignQueries.details()] }

/** What a row's menu does; each says how it went, and the lists refresh. */
export function useCampaignActions() {
  const { t } = useTranslation(['campaigns', 'status'])
  const navigate = useNavigate()
  const run = useMutation({
    meta,
    mutationFn: ({ id }: Target) => call(runCampaign, { body: id }),
    onSuccess: ({ status_key }, { name }) =>
      toast.success(t('campaigns:done.run', { name, status: t(`status:label.${statusName(status_key)}`) })),
  })
  const pause = useMutation({
    meta,
    mutationFn: ({ id }: Target) => call(pauseCampaign, { body: id }),
    onSuccess: (_, { name }) => toast.success(t('campaigns:done.pause', { name })),
  })
  const archive = useMutation({
    meta,
    mutationFn: ({ id }: Target) => call(toggleArchive, { body: id }),
    onSuccess: () => toast.success(t('campaigns:done.archive')),
  })
  const replicate = useMutation({
    meta,
    mutationFn: ({ id, spaceId }: Target & { readonly spaceId?: string }) =>
      call(createCampaign, { body: { replicated_from: id, ...(spaceId === undefined ? {} : { space_id: spaceId }) } }),
    onSuccess: (copy) => {
      if (!('id' in copy)) return
      toast.success(t('campaigns:done.replicate', { name: copy.name }))
      // Money of another currency, audiences and whitelists stay behind; whoever copied has to set them anew.
      if (copy.dropped?.length) toast.info(t('campaigns:replicate.dropped', { fields: copy.dropped.join(', ') }))
      void navigate({ to: '/campaign/edit/$id', params: { id: copy.id }, search: { tab: 'basicInfo' } })
    },
  })
  return { run, pause, archive, replicate }
}
