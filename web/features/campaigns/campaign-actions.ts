import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { toast } from '@/lib/toast'
import type { ListRow } from '../../../api/contract/campaign-list.ts'
import { createCampaign, pauseCampaign, runCampaign, toggleArchive } from '../../../api/contract/campaign.ts'
import { call } from '@/data/client'
import { statusName } from '@/data/campaign-status'
import { campaignQueries } from './campaign-queries.ts'

/** Money of another currency, audiences and whitelists stay behind in a copy; the user has to set them again. */
async function sayDropped(paths: readonly string[]) {
  const [{ pathLabel }] = await Promise.all([import('./change-log/log-labels.ts'), import('@/i18n/texts/log')])
  toast.info(i18next.t('campaigns:replicate.dropped', { fields: paths.map(pathLabel).join(', ') }))
}

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
      if (copy.dropped?.length) void sayDropped(copy.dropped)
      void navigate({ to: '/campaign/edit/$id', params: { id: copy.id }, search: { tab: 'basicInfo' } })
    },
  })
  return { run, pause, archive, replicate }
}
