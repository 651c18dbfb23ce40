import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Notification } from '#contract/notifications'
import { formatCount, formatDay, formatMinute, formatMoney } from '@/i18n/format'
import { lookUp } from '@/i18n/look-up'
import { openChat } from '@/lib/open-chat'
import { cn } from '@/lib/utils'
import '@/i18n/texts/billing'
import '@/i18n/texts/notifications'

/** One notification: a link to what it is about, which marks it as read. */
export function NotificationItem({
  notification,
  onRead,
  onChosen,
}: {
  readonly notification: Notification
  readonly onRead: (ids: readonly string[]) => void
  readonly onChosen?: () => void
}) {
  const { t } = useTranslation('notifications')
  const router = useRouter()
  const { id, at, kind, read, path, data } = notification
  const values = shownValues(data)
  const text =
    kind === 'campaign-rejected'
      ? String(data['comment'] ?? '')
      : kind === 'campaign-ended'
        ? t(data['reason'] === 'budget' ? 'text.endedByBudget' : 'text.endedByDate')
        : kind === 'creative-disapproved'
          ? [data['creative'], data['topics']].filter(Boolean).join(' · ')
          : kind === 'balance-low'
            ? t(`text.balance.${noticeOf(data['notice'])}`)
            : kind === 'payment-failed'
              ? (lookUp(`billing:refill.failures.${String(data['failure'])}`) ?? t('text.payment-failed'))
              : t(`text.${kind}`, values)
  return (
    <a
      href={path}
      onClick={(event) => {
        if (!read) onRead([id])
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        onChosen?.()
        if (kind === 'chat-message') openChat('')
        else router.history.push(path)
      }}
      className="hover:bg-muted flex items-start gap-3 rounded-md px-3 py-2.5 transition-colors"
    >
      <span aria-hidden className={cn('mt-1.5 size-2 shrink-0 rounded-full', read ? 'bg-transparent' : 'bg-primary')} />
      <span className="flex min-w-0 grow flex-col gap-0.5">
        <span className={cn('text-[0.8125rem]/4.5 break-words', !read && 'font-semibold')}>
          {!read && <span className="sr-only">{t('unreadMark')} </span>}
          {t(`title.${kind}`, values)}
        </span>
        {text !== '' && <span className="text-muted-foreground line-clamp-3 text-xs break-words">{text}</span>}
        <time dateTime={at} className="text-muted-foreground text-xs">
          {formatMinute(at)}
        </time>
      </span>
    </a>
  )
}

const NOTICES = ['empty', 'runway_1', 'runway_3'] as const
const noticeOf = (value: unknown) => NOTICES.find((notice) => notice === value) ?? 'runway_3'

function shownValues(data: Notification['data']) {
  const currency = data['currency'] === undefined ? null : String(data['currency'])
  return {
    name: String(data['name'] ?? ''),
    account: String(data['account'] ?? ''),
    number: String(data['number'] ?? ''),
    amount: formatMoney(Number(data['amount'] ?? data['available'] ?? 0), currency),
    due: data['due'] === undefined ? '' : formatDay(String(data['due'])),
    members: formatCount(Number(data['count'] ?? 0)),
    exchange: lookUp(`notifications:exchange.${String(data['exchange'])}`) ?? String(data['exchange'] ?? ''),
    comment: String(data['comment'] ?? ''),
  }
}
