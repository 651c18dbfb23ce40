import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ShortcutHint } from '@/app/shortcuts/shortcut-hint'
import { errorText } from '@/i18n/error-text'
import { createDelayed } from '@/lib/delayed'
import { decisionMutation, type Submission } from '@/features/campaigns/moderation/use-decision'
import { toast } from '@/lib/toast'

/** How long an approval can be undone, milliseconds. */
export const UNDO_MS = 5000

const keyOf = ({ id, moderation_start_at }: Pick<Submission, 'id' | 'moderation_start_at'>) =>
  `${id} ${moderation_start_at ?? ''}`

/**
 * Approvals that are sent after a delay, so that they can be undone. A decided submission leaves the queue at once, and returns
 * with the reason if the server refuses. Leaving the page sends all pending approvals.
 */
export function useApprovals(onShow: (id: string) => void) {
  const { t } = useTranslation('moderation')
  const [delayed] = useState(() => createDelayed(UNDO_MS))
  const [decided, setDecided] = useState<ReadonlyMap<string, Submission>>(new Map())
  const [refusals, setRefusals] = useState<ReadonlyMap<string, Error>>(new Map())

  const settle = (submission: Submission) => setDecided((before) => new Map(before).set(keyOf(submission), submission))
  const reopen = (submission: Submission) =>
    setDecided((before) => new Map([...before].filter(([key]) => key !== keyOf(submission))))
  const takeBack = (submission: Submission) => {
    if (!delayed.cancel(keyOf(submission))) return
    toast.dismiss(keyOf(submission))
    reopen(submission)
    onShow(submission.id)
  }

  const { mutate } = useMutation({
    ...decisionMutation,
    onError: (error, { submission }) => {
      reopen(submission)
      setRefusals((before) => new Map(before).set(keyOf(submission), error))
      toast.error(t('notApproved', { name: submission.name }), {
        description: errorText(error),
        action: { label: t('show'), onClick: () => onShow(submission.id) },
      })
    },
  })

  useEffect(() => {
    window.addEventListener('pagehide', delayed.flush)
    return () => {
      window.removeEventListener('pagehide', delayed.flush)
      delayed.flush()
    }
  }, [delayed])

  return {
    approve: (submission: Submission) => {
      const key = keyOf(submission)
      settle(submission)
      delayed.add(key, () => {
        toast.dismiss(key)
        mutate({ submission, verdict: { kind: 'approve' } })
      })
      toast.success(t('approved'), {
        id: key,
        description: submission.name,
        duration: UNDO_MS,
        action: {
          label: (
            <span className="flex items-center gap-2">
              {t('undo')}
              <ShortcutHint keys="z" />
            </span>
          ),
          onClick: () => takeBack(submission),
        },
      })
    },
    /** Handles immediate decisions. */
    settle,
    canUndo: () => delayed.newest() !== undefined,
    undoLast: () => {
      const submission = decided.get(delayed.newest() ?? '')
      if (submission !== undefined) takeBack(submission)
    },
    isDecided: (submission: Pick<Submission, 'id' | 'moderation_start_at'>) => decided.has(keyOf(submission)),
    refusalOf: (submission: Submission) => refusals.get(keyOf(submission)) ?? null,
  }
}
