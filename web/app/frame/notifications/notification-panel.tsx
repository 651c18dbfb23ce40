import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { NotificationItem } from '@/components/notifications/notification-item'
import { PopoverPanel } from '@/components/popover-panel'
import { Button } from '@/components/ui/button'
import { notificationMutations, notificationQueries } from '@/data/notification-queries'
import { errorText } from '@/i18n/error-text'
import type { Popup } from '@/lib/use-popup'
import '@/i18n/texts/notifications'

const SHOWN = 8

/** The newest notifications, under the bell. */
export function NotificationPanel({ popup }: { readonly popup: Popup }) {
  const { t } = useTranslation(['notifications', 'common'])
  const { data, error } = useQuery(notificationQueries.newest())
  const { mutate: markRead } = useMutation(notificationMutations.read())
  const close = () => popup.onOpenChange(false)
  const rows = data?.data.slice(0, SHOWN)
  return (
    <PopoverPanel
      popup={popup}
      aria-label={t('heading')}
      align="end"
      className="flex w-96 max-w-[calc(100vw-2rem)] flex-col gap-1"
    >
      <div className="flex items-center justify-between gap-2 px-3 py-1">
        <h2 className="text-[15px] font-semibold">{t('heading')}</h2>
        {(data?.unread ?? 0) > 0 && (
          <Button variant="ghost" className="h-7" onClick={() => markRead('all')}>
            {t('readAll')}
          </Button>
        )}
      </div>
      {rows === undefined || rows.length === 0 ? (
        <p className="text-muted-foreground px-3 py-4">
          {rows !== undefined ? t('empty') : error === null ? t('common:loading') : errorText(error)}
        </p>
      ) : (
        <ul aria-label={t('heading')} className="flex flex-col">
          {rows.map((notification) => (
            <li key={notification.id}>
              <NotificationItem notification={notification} onRead={markRead} onChosen={close} />
            </li>
          ))}
        </ul>
      )}
      <Button asChild variant="outline">
        <Link to="/notifications" onClick={close}>
          {t('showAll')}
        </Link>
      </Button>
    </PopoverPanel>
  )
}
