import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Bell } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { kindsFor } from '#domain/notifications/notification'
import { pageParam } from '@/components/data-table/list-search'
import { Pagination } from '@/components/data-table/pagination'
import { usePageInRange } from '@/components/data-table/use-list-page'
import { NotificationItem } from '@/components/notifications/notification-item'
import { Page } from '@/components/page/page'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { NativeSelect } from '@/components/ui/native-select'
import { Skeleton } from '@/components/ui/skeleton'
import { notificationMutations, notificationQueries } from '@/data/notification-queries'
import { hasStaffProfile } from '@/session/can'
import { useMe } from '@/session/session-queries'
import '@/i18n/texts/notifications'

const route = getRouteApi('/_app/notifications')
const PAGE_SIZE = 25

/** `/notifications`: everything that the user was notified of, newest first. */
export function NotificationsPage() {
  const { t } = useTranslation('notifications')
  const me = useMe()
  const search = route.useSearch()
  const { kind, state, page = 0 } = search
  const navigate = route.useNavigate()
  const { data, error, refetch, isPlaceholderData } = useQuery(
    notificationQueries.page({ kind, page, unread: state === 'unread' }),
  )
  const { mutate: markRead } = useMutation(notificationMutations.read())
  const kinds = kindsFor(me.roles)
  const total = data?.total_size ?? 0
  const show = (next: number, history: 'push' | 'replace' = 'push') =>
    void navigate({ search: { kind, state, page: pageParam(next) }, replace: history === 'replace' })
  const beyond = usePageInRange({
    page,
    rows: PAGE_SIZE,
    total: isPlaceholderData ? undefined : data?.total_size,
    onPage: (last) => show(last, 'replace'),
  })
  return (
    <Page
      title={t('heading')}
      actions={
        <>
          <Button variant="outline" disabled={(data?.unread ?? 0) === 0} onClick={() => markRead('all')}>
            {t('readAll')}
          </Button>
          <Button asChild variant="outline">
            <Link to={hasStaffProfile(me) ? '/profile-whitelabel' : '/profile'} search={{ tab: 'notifications' }}>
              {t('settings')}
            </Link>
          </Button>
        </>
      }
      failed={error === null || data !== undefined ? null : { title: t('error'), error, onRetry: () => void refetch() }}
    >
      <div className="flex w-full max-w-3xl flex-wrap gap-3 2xl:mx-auto">
        <NativeSelect
          aria-label={t('filter.kind')}
          value={kind ?? ''}
          onChange={(event) =>
            void navigate({ search: { state, kind: kinds.find((one) => one === event.target.value) }, replace: true })
          }
          className="w-64 max-w-full"
        >
          <option value="">{t('filter.allKinds')}</option>
          {kinds.map((one) => (
            <option key={one} value={one}>
              {t(`kind.${one}`)}
            </option>
          ))}
        </NativeSelect>
        <NativeSelect
          aria-label={t('filter.state')}
          value={state ?? ''}
          onChange={(event) =>
            void navigate({
              search: { kind, state: event.target.value === 'unread' ? 'unread' : undefined },
              replace: true,
            })
          }
          className="w-44"
        >
          <option value="">{t('filter.all')}</option>
          <option value="unread">{t('filter.unread')}</option>
        </NativeSelect>
      </div>
      {data === undefined || beyond ? (
        <div aria-hidden className="flex w-full max-w-3xl flex-col gap-3 2xl:mx-auto">
          {[0, 1, 2].map((n) => (
            <Skeleton key={n} className="h-16" />
          ))}
        </div>
      ) : data.data.length === 0 ? (
        <EmptyState
          image={<Bell aria-hidden className="text-muted-foreground size-10 stroke-[1.25]" />}
          title={t('empty')}
          text={t(kind === undefined && state === undefined ? 'emptyText' : 'emptyFiltered')}
        />
      ) : (
        <ul
          aria-label={t('heading')}
          className="border-border bg-card divide-border w-full max-w-3xl divide-y rounded-xl border p-1 2xl:mx-auto"
        >
          {data.data.map((notification) => (
            <li key={notification.id}>
              <NotificationItem notification={notification} onRead={markRead} />
            </li>
          ))}
        </ul>
      )}
      {total > PAGE_SIZE && (
        <Pagination
          page={page}
          rows={PAGE_SIZE}
          total={total}
          rowChoices={[PAGE_SIZE]}
          backDisabled={page === 0}
          nextDisabled={(page + 1) * PAGE_SIZE >= total}
          onPage={show}
          onRows={() => undefined}
        />
      )}
    </Page>
  )
}
