import { UserRoundX } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { endSession } from '@/data/client'
import { onSessionChange, sessionChange } from '@/session/identity'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { useMe } from '@/session/session-queries'
import { hasUnsaved } from '@/lib/unsaved'

/**
 * Reports that another tab signed in as another user, switched accounts or signed out. From then on this tab sends nothing. Typed
 * text stays until the user reloads, which asks first. After a sign-out, a tab without unsaved changes leaves by itself.
 */
export function SessionNotice() {
  const { t } = useTranslation()
  const { name, space_name: account } = useMe()
  const change = useSyncExternalStore(onSessionChange, sessionChange)
  useEffect(() => {
    if (change === 'signed-out' && !hasUnsaved()) endSession('left')
  }, [change])
  if (change === null) return null
  return (
    <div className="pointer-events-none fixed inset-x-0 top-3 z-60 flex justify-center px-3">
      <Notice
        tone="warn"
        role="alert"
        className="shadow-lg border-border pointer-events-auto w-full max-w-[560px] items-center border"
      >
        <UserRoundX aria-hidden className="self-start" />
        <div className="grow">
          <p className="font-semibold">{t(`sessionChange.${change}.title`)}</p>
          <p>{t(`sessionChange.${change}.text`, { name, account })}</p>
        </div>
        <Button variant="outline" onClick={() => location.reload()}>
          {t(`sessionChange.${change}.action`)}
        </Button>
      </Notice>
    </div>
  )
}
