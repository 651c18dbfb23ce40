import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { ShortcutHint } from '@/app/shortcuts/shortcut-hint'
import { errorText } from '@/i18n/error-text'
import { toast } from '@/lib/toast'
import { delayedDecisionsOf, keyOf, UNDO_MS } from './delayed-decisions.ts'
import type { Submission, Verdict } from './use-decision.ts'

/**
 * Decisions that are sent after a delay, so that they can be undone. A decided submission leaves the queue at once. It returns with
 * what was typed when it is undone, and also with the reason when the server refuses; `onShow` then shows it.
 */
export function useDelayedDecisions(onShow: (submission: Submission) => void) {
  const { t } = useTranslation('moderation')
  const decisions = delayedDecisionsOf(useQueryClient())
  const { decided, refusals, drafts } = useSyncExternalStore(decisions.subscribe, decisions.state)

  const takeBack = (key: string | undefined) => {
    const decision = decisions.takeBack(key)
    if (decision === undefined || key === undefined) return
    toast.dismiss(key)
    onShow(decision.submission)
  }

  return {
    decide: (submission: Submission, verdict: Verdict) => {
      const key = keyOf(submission)
      const isApproval = verdict.kind === 'approve'
      const isSecond = submission.approval !== undefined
      const done = isSecond ? (isApproval ? 'second.agreed' : 'second.disagreed') : isApproval ? 'approved' : 'rejected'
      const failed = isSecond ? 'second.notSaved' : isApproval ? 'notApproved' : 'notRejected'
      decisions.decide(
        { submission, verdict },
        {
          onSent: () => toast.dismiss(key),
          onRefused: (error) =>
            toast.error(t(failed, { name: submission.name }), {
              description: errorText(error),
              action: { label: t('show'), onClick: () => onShow(submission) },
            }),
        },
      )
      toast.success(t(done), {
        id: key,
        description: [
          submission.name,
          ...(isApproval && verdict.openLines !== undefined ? [t('checklist.open', { count: verdict.openLines })] : []),
        ].join(' · '),
        duration: UNDO_MS,
        action: {
          label: (
            <span className="flex items-center gap-2">
              {t('undo')}
              <ShortcutHint keys="z" />
            </span>
          ),
          onClick: () => takeBack(key),
        },
      })
    },
    canUndo: () => decisions.newest() !== undefined,
    undoLast: () => takeBack(decisions.newest()),
    /** Sends what can still be undone. */
    flush: decisions.flush,
    forget: decisions.forget,
    isDecided: (submission: Pick<Submission, 'id' | 'moderation_start_at' | 'approval'>) => decided.has(keyOf(submission)),
    refusalOf: (submission: Submission): Error | null => refusals.get(keyOf(submission)) ?? null,
    draftOf: (submission: Submission): Verdict | null => drafts.get(keyOf(submission)) ?? null,
  }
}
