import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { createCampaign, publishCampaign, updateCampaign } from '#contract/campaign'
import type { DryRun } from '#contract/campaign-answers'
import type { Campaign, CampaignInput } from '#contract/campaign-body'
import { AppError, isOffline, NO_ANSWER, type ServerFault } from '@/data/app-error'
import { call } from '@/data/client'
import { moderationQueries } from '@/data/moderation-queries'
import { campaignQueries } from '@/data/campaign-queries'
import { connection } from '@/data/connection'

/** `save` stays in its section, `next` saves and opens the next one. */
export type SaveMode = 'save' | 'next' | 'publish'
export type SaveInput = { readonly mode: SaveMode; readonly body: CampaignInput }

/** Timeout of a save. */
export const SAVE_TIMEOUT_MS = 15_000
const noAnswer = () => new AppError({ code: NO_ANSWER, key: 'no_answer', message: '', status: 0 })

/** Timeout for server faults that the form cannot check itself. */
const FAULTS_TIMEOUT_MS = 2000

/** Outcome of publishing; null when the server did not say. Throws what forbids it. */
export async function tryPublishing(body: CampaignInput, timeout = SAVE_TIMEOUT_MS): Promise<DryRun | null> {
  const answer = await call(publishCampaign, { body, query: { dry_run: 'true' }, signal: AbortSignal.timeout(timeout) })
  return 'diff' in answer ? answer : null
}

/** Returns the faults that prevent publishing, without publishing; none when the server does not answer in time. */
export async function publishFaults(body: CampaignInput): Promise<readonly ServerFault[]> {
  try {
    await tryPublishing(body, FAULTS_TIMEOUT_MS)
    return []
  } catch (error) {
    return error instanceof AppError ? error.faults : []
  }
}

/** The user no longer wants a save that waited for the connection. */
export class NotSaved extends Error {
  override readonly name = 'NotSaved'
}

/**
 * Saves or publishes. The answer is the newest campaign and goes directly into the cache. A save that finds no connection waits for
 * one, and is then sent as it was, under the same Idempotency-Key: it may have arrived the first time. A save is aborted when the
 * user leaves its page, no longer wants to wait, or no answer arrives.
 */
export function useCampaignSave() {
  const queryClient = useQueryClient()
  const [waiting, setWaiting] = useState(false)
  const ongoing = useRef<AbortController | null>(null)
  useEffect(() => () => ongoing.current?.abort(), [])
  const saving = useMutation({
    meta: { silent: true, invalidates: [campaignQueries.lists(), moderationQueries.all(), campaignQueries.logs()] },
    mutationFn: async ({ mode, body }: SaveInput): Promise<Campaign> => {
      const endpoint = mode === 'publish' ? publishCampaign : body.id === undefined ? createCampaign : updateCampaign
      const commandKey = crypto.randomUUID()
      const callOff = new AbortController()
      ongoing.current = callOff
      const send = async () => {
        const late = new AbortController()
        const timer = setTimeout(() => late.abort(noAnswer()), SAVE_TIMEOUT_MS)
        const signal = AbortSignal.any([callOff.signal, late.signal])
        return call(endpoint, { body, signal, commandKey }).finally(() => clearTimeout(timer))
      }
      const saved = await whenConnected(send, callOff.signal, setWaiting)
      if (!('id' in saved)) throw new Error('a save answered like a dry run')
      const { queryKey } = campaignQueries.detail(saved.id)
      // A read that began before the save would overwrite the cache with the old campaign.
      await queryClient.cancelQueries({ queryKey, exact: true })
      queryClient.setQueryData(queryKey, saved)
      return saved
    },
  })
  return { ...saving, waiting, stopWaiting: () => ongoing.current?.abort(new NotSaved()) }
}

/** Repeats a call that does not reach the server, until it does or is called off. */
async function whenConnected<T>(send: () => Promise<T>, signal: AbortSignal, onWait: (waits: boolean) => void): Promise<T> {
  try {
    for (let attempt = 0; ; attempt++)
      try {
        return await send()
      } catch (error) {
        if (!isOffline(error)) throw error
        onWait(true)
        await connection(attempt, signal)
      }
  } finally {
    onWait(false)
  }
}
