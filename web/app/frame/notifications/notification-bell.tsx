import { useQuery } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { notificationQueries } from '@/data/notification-queries'
import { formatCount } from '@/i18n/format'
import { usePopup } from '@/lib/use-popup'

const load = () => import('./notification-panel.tsx')
const NotificationPanel = lazy(async () => ({ default: (await load()).NotificationPanel }))
/** A larger number is shown as "99+". */
const MOST_SHOWN = 99

/** The button that shows the newest notifications, with the number of unread ones. */
export function NotificationBell() {
  const { t } = useTranslation()
  const { data } = useQuery(notificationQueries.newest())
  const { shown, trigger, popup } = usePopup('dialog', load)
  const unread = data?.unread ?? 0
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        aria-label={unread === 0 ? t('notifications.open') : t('notifications.unread', { count: unread })}
        {...trigger}
        className="relative shrink-0"
      >
        <Bell aria-hidden />
        {unread > 0 && (
          <span
            aria-hidden
            className="bg-primary text-primary-foreground absolute top-0 right-0 min-w-4.5 rounded-full px-1 text-center text-[0.6875rem] leading-4.5 font-semibold tabular-nums"
          >
            {unread > MOST_SHOWN ? `${formatCount(MOST_SHOWN)}+` : formatCount(unread)}
          </span>
        )}
      </Button>
      {shown && (
        <Suspense>
          <NotificationPanel popup={popup} />
        </Suspense>
      )}
    </>
  )
}
