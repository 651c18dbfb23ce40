import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { createCampaign, publishCampaign, updateCampaign } from '#contract/campaign'
import type { Campaign, CampaignInput } from '#contract/campaign-body'
import { AppError, NO_ANSWER, type ServerFault } from '@/data/app-error'
import { call } from '@/data/client'
import { moderationQueries } from '@/data/moderation-queries'
import { campaignQueries } from '@/data/campaign-queries'

/** `save` stays in its section, `next` saves and opens the next one. */
export type SaveMode = 'save' | 'next' | 'publish'
export type SaveInput = { readonly mode: SaveMode; readonly body: CampaignInput }

/** Timeout of a save. */
export const SAVE_TIMEOUT_MS = 15_000
const noAnswer = () => new AppError({ code: NO_ANSWER, key: 'no_answer', message: '', status: 0 })

/** Timeout for server faults that the form cannot check itself. */
const FAULTS_TIMEOUT_MS = 2000

/** Returns the faults that prevent publishing, without publishing; none when the server does not answer in time. */
export async function publishFaults(body: CampaignInput): Promise<readonly ServerFault[]> {
  try {
    await call(publishCampaign, { body, query: { dry_run: 'true' }, signal: AbortSignal.timeout(FAULTS_TIMEOUT_MS) })
    return []
  } catch (error) {
    return error instanceof AppError ? error.faults : []
  }
}

/**
 * Saves or publishes. The answer is the newest campaign and goes directly into the cache. A save is aborted when the user leaves
 * its page or no answer arrives.
 */
export function useCampaignSave() {
  const queryClient = useQueryClient()
  const ongoing = useRef<AbortController | null>(null)
  useEffect(() => () => ongoing.current?.abort(), [])
  return useMutation({
    meta: { silent: true, invalidates: [campaignQueries.lists(), moderationQueries.all(), campaignQueries.logs()] },
    mutationFn: async ({ mode, body }: SaveInput): Promise<Campaign> => {
      const endpoint = mode === 'publish' ? publishCampaign : body.id === undefined ? createCampaign : updateCampaign
      const callOff = new AbortController()
      ongoing.current = callOff
      const timer = setTimeout(() => callOff.abort(noAnswer()), SAVE_TIMEOUT_MS)
      const saved = await call(endpoint, { body, signal: callOff.signal }).finally(() => clearTimeout(timer))
      if (!('id' in saved)) throw new Error('a save answered like a dry run')
      const { queryKey } = campaignQueries.detail(saved.id)
      // A read that began before the save would overwrite the cache with the old campaign.
      await queryClient.cancelQueries({ queryKey, exact: true })
      queryClient.setQueryData(queryKey, saved)
      return saved
    },
  })
}
