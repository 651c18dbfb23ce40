import { useCallback, useEffect, useRef } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { LeaveGuard } from './leave-guard.tsx'

const isSamePage = (one: { readonly pathname: string; readonly search: object }, other: typeof one) =>
  one.pathname === other.pathname && JSON.stringify(one.search) === JSON.stringify(other.search)

/**
 * Asks before what is typed in a form of one page is lost (platform.md §2). It subscribes instead of rendering, so that a form
 * that was just marked as saved may be left in the same task.
 */
export function FormGuard<Values extends FieldValues>({ form }: { readonly form: UseFormReturn<Values> }) {
  const { t } = useTranslation()
  const { subscribe } = form
  const unsaved = useRef(false)
  useEffect(
    () =>
      subscribe({
        formState: { isDirty: true },
        callback: ({ isDirty }) => {
          unsaved.current = isDirty ?? unsaved.current
        },
      }),
    [subscribe],
  )
  return (
    <LeaveGuard
      wouldLose={useCallback(() => unsaved.current, [])}
      isSameForm={isSamePage}
      texts={{ title: t('leave.title'), text: t('leave.text'), confirm: t('leave.leave'), cancel: t('leave.stay') }}
    />
  )
}
