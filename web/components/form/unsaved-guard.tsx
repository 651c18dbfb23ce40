import { useCallback, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { LeaveGuard } from './leave-guard.tsx'

const isSamePage = (one: { readonly pathname: string; readonly search: object }, other: typeof one) =>
  one.pathname === other.pathname && JSON.stringify(one.search) === JSON.stringify(other.search)

/** Asks before what is typed in a form of one page is lost (platform.md §2). */
export function UnsavedGuard({ unsaved }: { readonly unsaved: boolean }) {
  const { t } = useTranslation()
  const now = useRef(unsaved)
  useEffect(() => {
    now.current = unsaved
  }, [unsaved])
  return (
    <LeaveGuard
      wouldLose={useCallback(() => now.current, [])}
      isSameForm={isSamePage}
      texts={{ title: t('leave.title'), text: t('leave.text'), confirm: t('leave.leave'), cancel: t('leave.stay') }}
    />
  )
}
