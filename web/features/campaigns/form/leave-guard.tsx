import { useBlocker, type ShouldBlockFn } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import { useFormState } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { guardUnsaved } from '@/lib/unsaved'
import { useCampaignForm } from './campaign-form-context.ts'

type Place = { readonly pathname: string; readonly search: object }

/** Which form an address shows. Another tab of a form is the same form, another objective or source of a copy is not. */
const formAt = ({ pathname, search }: Place) =>
  JSON.stringify([pathname, 'type' in search && search.type, 'replicatedId' in search && search.replicatedId])

type LeaveGuardProps = {
  readonly uploading: boolean
  /** True while a save that has succeeded leads elsewhere: then leaving loses nothing. */
  readonly saved: RefObject<boolean>
  /** Whether what is typed is kept as a draft, and can be gone on with. */
  readonly kept: boolean
}

/** Asks before what is not saved is left behind, on every way out (campaign.md §2). On its own: the first letter draws this anew, and not the form. */
export function LeaveGuard({ uploading, saved, kept }: LeaveGuardProps) {
  const { t } = useTranslation('form')
  const { control } = useCampaignForm()
  const { isDirty } = useFormState({ control })
  const unsaved = useRef(false)
  useEffect(() => {
    unsaved.current = isDirty || uploading
  }, [isDirty, uploading])
  const wouldLose = useCallback(() => unsaved.current && !saved.current, [saved])
  /** Answers a way out that is no navigation, such as logging out. */
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
      ({ current, next }) => wouldLose() && formAt(current) !== formAt(next),
      [wouldLose],
    ),
    enableBeforeUnload: wouldLose,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      open={blocker.status === 'blocked' || answer !== null}
      title={t('leave.title')}
      text={t(kept ? 'leave.kept' : 'leave.text')}
      confirm={t('leave.leave')}
      cancel={t('leave.stay')}
      tone="destructive"
      onConfirm={() => settle(true)}
      onCancel={() => settle(false)}
    />
  )
}
