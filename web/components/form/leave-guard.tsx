import { useBlocker, type ShouldBlockFn } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { guardUnsaved } from '@/lib/unsaved'

type Place = { readonly pathname: string; readonly search: object }

type LeaveGuardProps = {
  /** Whether leaving now would lose changes. Must be stable between renders. */
  readonly wouldLose: () => boolean
  /** Whether two addresses show the same form; then no question is asked. Must be stable between renders. */
  readonly isSameForm: (one: Place, other: Place) => boolean
  readonly texts: { readonly title: string; readonly text: string; readonly confirm: string; readonly cancel: string }
}

/** Asks before unsaved changes are lost: on navigation, closing the tab and logging out (campaigns.md §2). */
export function LeaveGuard({ wouldLose, isSameForm, texts }: LeaveGuardProps) {
  /** Answers a leave request that is not a navigation, such as logging out. */
  const [answer, setAnswer] = useState<((leave: boolean) => void) | null>(null)
  useEffect(
    () =>
      guardUnsaved({
        holds: wouldLose,
        ask: () => new Promise((resolve) => setAnswer(() => resolve)),
      }),
    [wouldLose],
  )
  const settle = (leave: boolean) => {
    answer?.(leave)
    setAnswer(null)
    if (leave) blocker.proceed?.()
    else blocker.reset?.()
  }
  const blocker = useBlocker({
    shouldBlockFn: useCallback<ShouldBlockFn>(
      ({ current, next }) => wouldLose() && !isSameForm(current, next),
      [wouldLose, isSameForm],
    ),
    enableBeforeUnload: wouldLose,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      open={blocker.status === 'blocked' || answer !== null}
      {...texts}
      tone="destructive"
      onConfirm={() => settle(true)}
      onCancel={() => settle(false)}
    />
  )
}
