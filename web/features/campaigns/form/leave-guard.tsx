import { useBlocker, type ShouldBlockFn } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, type RefObject } from 'react'
import { useFormState } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { useCampaignForm } from './campaign-form-context.ts'

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
  const blocker = useBlocker({
    // Another tab of the same form is the same page.
    shouldBlockFn: useCallback<ShouldBlockFn>(
      ({ current, next }) => wouldLose() && current.pathname !== next.pathname,
      [wouldLose],
    ),
    enableBeforeUnload: wouldLose,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      open={blocker.status === 'blocked'}
      title={t('leave.title')}
      text={t(kept ? 'leave.kept' : 'leave.text')}
      confirm={t('leave.leave')}
      cancel={t('leave.stay')}
      tone="danger"
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    />
  )
}
