import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createCampaign, publishCampaign, updateCampaign } from '../../../../api/contract/campaign.ts'
import type { Campaign, CampaignInput } from '../../../../api/contract/campaign-body.ts'
import { call } from '../../../api/client.ts'
import { moderationQueries } from '../../../domain/moderation-queries.ts'
import { campaignQueries } from '../campaign-queries.ts'

export type SaveMode = 'save' | 'publish'
export type SaveInput = { readonly mode: SaveMode; readonly body: CampaignInput }

/** Saves or publishes; what comes back is the newest campaign and goes straight into the cache. */
export function useCampaignSave() {
  const queryClient = useQueryClient()
  return useMutation({
    meta: { silent: true, invalidates: [campaignQueries.lists(), moderationQueries.all(), campaignQueries.logs()] },
    mutationFn: async ({ mode, body }: SaveInput): Promise<Campaign> => {
      const endpoint = mode === 'publish' ? publishCampaign : body.id === undefined ? createCampaign : updateCampaign
      const saved = await call(endpoint, { body })
      if (!('id' in saved)) throw new Error('a save answered like a dry run')
      const { queryKey } = campaignQueries.detail(saved.id)
      // A read that began before the save would put the campaign back to what it was.
      await queryClient.cancelQueries({ queryKey, exact: true })
      queryClient.setQueryData(queryKey, saved)
      return saved
    },
  })
}
