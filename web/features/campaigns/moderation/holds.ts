import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { holdSubmission, releaseSubmission, type QueuedSubmission, type ReviewHolder } from '#contract/moderation'
import { call } from '@/data/client'
import { moderationQueries } from '@/data/moderation-queries'
import { now } from '@/lib/clock'
import { sendBeforeLeaving } from '@/lib/unsaved'
import { delayedDecisionsOf, keyOf } from './delayed-decisions.ts'
import type { Submission } from './use-decision.ts'

/** Least time between two renewals by activity, milliseconds: a hold lasts ten minutes (fine print 101). */
const RENEW_MS = 60_000
const ACTIVITY = ['keydown', 'pointerdown', 'wheel'] as const

type Held = Pick<QueuedSubmission, 'holder' | 'assignee'>

/** The moderator other than `me` who holds a submission at `time`; null without one. */
export const otherHolder = (row: Held | null, me: string, time: number): ReviewHolder | null =>
  row?.holder == null || row.holder.id === me || Date.parse(row.holder.until) <= time ? null : row.holder

/** Whether a submission is neither held by nor assigned to another moderator. */
export const isFree = (row: Held, me: string, time: number): boolean =>
  otherHolder(row, me, time) === null && (row.assignee?.id ?? me) === me

/** Takes a submission, also from another moderator, and shows in every list who holds it then. */
async function take(client: QueryClient, id: string, takeOver: boolean): Promise<void> {
  const { holder } = await call(holdSubmission, { body: { campaign_id: id, take_over: takeOver } })
  client.setQueriesData<{ readonly data?: readonly QueuedSubmission[] }>({ queryKey: moderationQueries.all() }, (before) =>
    before?.data === undefined
      ? before
      : { ...before, data: before.data.map((row) => (row.campaign_id === id ? { ...row, holder } : row)) },
  )
}

/** Takes a submission from the moderator who holds it. */
export function useTakeOver(id: string, onTaken: () => void = () => undefined) {
  const client = useQueryClient()
  return useMutation({ mutationFn: () => take(client, id, true), onSuccess: onTaken })
}

/**
 * Holds the submission while it is on the screen: renewed by activity, released on leaving. A decision that can still be undone keeps
 * it. `takenOver` is true once another moderator took it from this user.
 */
export function useHold(submission: Submission, row: Held | null, me: string, waits: boolean, time: number) {
  const client = useQueryClient()
  const { id } = submission
  const key = keyOf(submission)
  const other = otherHolder(row, me, time)
  const isMine = row?.holder?.id === me
  const [wasMine, setWasMine] = useState(false)
  if (isMine && !wasMine) setWasMine(true)
  const isOthers = useRef(false)
  useEffect(() => {
    isOthers.current = other !== null
  }, [other])

  useEffect(() => {
    if (!waits) return undefined
    let renewed = 0
    // Advisory: without an answer the submission can be reviewed all the same.
    const renew = () => {
      renewed = now()
      take(client, id, false).catch(() => undefined)
    }
    const onActivity = () => {
      if (!isOthers.current && now() - renewed >= RENEW_MS) renew()
    }
    const leave = async () => {
      renewed = 0
      if (isOthers.current || delayedDecisionsOf(client).state().decided.has(key)) return
      await call(releaseSubmission, { body: { campaign_id: id }, keepalive: true }).catch(() => undefined)
    }
    const onHide = () => void leave()
    const stop = sendBeforeLeaving(leave)
    renew()
    for (const kind of ACTIVITY) window.addEventListener(kind, onActivity, { passive: true })
    window.addEventListener('pagehide', onHide)
    return () => {
      stop()
      for (const kind of ACTIVITY) window.removeEventListener(kind, onActivity)
      window.removeEventListener('pagehide', onHide)
      void leave()
    }
  }, [client, id, key, waits])

  return { other, takenOver: wasMine && other !== null }
}
