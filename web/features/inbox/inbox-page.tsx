import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowLeft, MessagesSquare } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InboxRow } from '#contract/chat'
import { LONGEST_MESSAGE } from '#domain/chat/message'
import { Conversation } from '@/components/chat/conversation'
import { pageParam } from '@/components/data-table/list-search'
import { Pagination } from '@/components/data-table/pagination'
import { usePageInRange } from '@/components/data-table/use-list-page'
import { LoadError } from '@/components/load-error'
import { Page } from '@/components/page/page'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton } from '@/components/ui/skeleton'
import { chatMutations, chatQueries, messagesOf } from '@/data/chat-queries'
import { errorText } from '@/i18n/error-text'
import { formatCount, formatMinute } from '@/i18n/format'
import { cn } from '@/lib/utils'
import '@/i18n/texts/chat'

const route = getRouteApi('/_app/inbox')
const PAGE_SIZE = 25

/** `/inbox`: conversations of users, which owners and moderators answer. */
export function InboxPage() {
  const { t } = useTranslation('chat')
  const { id, page = 0 } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch, isPlaceholderData } = useQuery(chatQueries.inbox(page))
  const total = data?.total_size ?? 0
  const show = (next: number, history: 'push' | 'replace' = 'push') =>
    void navigate({ search: { id, page: pageParam(next) }, replace: history === 'replace' })
  const beyond = usePageInRange({
    page,
    rows: PAGE_SIZE,
    total: isPlaceholderData ? undefined : data?.total_size,
    onPage: (last) => show(last, 'replace'),
  })
  const rows = beyond ? undefined : data?.data
  return (
    <Page
      layout="full"
      title={t('inbox.title')}
      description={data === undefined ? undefined : t('inbox.count', { count: total, shown: formatCount(total) })}
      failed={error === null || data !== undefined ? null : { title: t('inbox.error'), error, onRetry: () => void refetch() }}
    >
      {rows?.length === 0 && id === undefined ? (
        <EmptyState
          image={<MessagesSquare aria-hidden className="text-muted-foreground size-10 stroke-[1.25]" />}
          title={t('inbox.empty')}
          text={t('inbox.emptyText')}
        />
      ) : (
        <div className="min-h-0 grow lg:grid lg:grid-cols-[320px_minmax(0,1fr)]">
          <div className={cn('border-border flex min-h-0 flex-col lg:border-r', id !== undefined && 'max-lg:hidden')}>
            <Rows rows={rows} selected={id} page={page} />
            {total > PAGE_SIZE && (
              <div className="border-border border-t">
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
              </div>
            )}
          </div>
          {id === undefined ? (
            <p className="text-muted-foreground m-auto hidden p-8 lg:block">{t('inbox.choose')}</p>
          ) : (
            <Answering key={id} id={id} row={rows?.find((row) => row.id === id)} page={page} />
          )}
        </div>
      )}
    </Page>
  )
}

type RowsProps = { readonly rows: readonly InboxRow[] | undefined; readonly selected: string | undefined; readonly page: number }

function Rows({ rows, selected, page }: RowsProps) {
  const { t } = useTranslation('chat')
  if (rows === undefined)
    return (
      <div aria-hidden className="flex flex-col gap-3 p-4">
        {[0, 1, 2].map((n) => (
          <Skeleton key={n} className="h-14" />
        ))}
      </div>
    )
  return (
    <ul aria-label={t('inbox.list')} className="divide-border min-h-0 grow divide-y overflow-y-auto">
      {rows.map((row) => (
        <li key={row.id}>
          <Link
            to="/inbox"
            search={{ id: row.id, page: page === 0 ? undefined : page }}
            aria-current={row.id === selected ? 'true' : undefined}
            className={cn(
              'hover:bg-muted flex flex-col gap-0.5 px-4 py-3 outline-offset-[-2px] transition-colors',
              row.id === selected && 'bg-primary-tint hover:bg-primary-tint',
            )}
          >
            <span className="flex items-baseline gap-2">
              <span className="min-w-0 grow truncate font-medium">{row.name}</span>
              {row.unread > 0 ? (
                <span
                  aria-label={t('unread', { count: row.unread })}
                  className="bg-primary text-primary-foreground min-w-5 rounded-full px-1.5 text-center text-xs leading-5 font-semibold"
                >
                  {formatCount(row.unread)}
                </span>
              ) : (
                row.waiting && <span className="text-warning text-xs font-medium">{t('inbox.waiting')}</span>
              )}
            </span>
            <span className="text-muted-foreground truncate text-xs">{row.space_name}</span>
            <span className="text-muted-foreground truncate text-[0.8125rem]/4.5">{row.last_text}</span>
            <time dateTime={row.last_at} className="text-muted-foreground text-xs">
              {formatMinute(row.last_at)}
            </time>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** A conversation with its answers. Opening it marks its messages as read. */
function Answering({ id, row, page }: { readonly id: string; readonly row: InboxRow | undefined; readonly page: number }) {
  const { t } = useTranslation('chat')
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(chatQueries.of(id))
  const [draft, setDraft] = useState('')
  const reply = useMutation(chatMutations.reply(id))
  const { mutate: markSeen } = useMutation(chatMutations.seen(id))
  const input = useRef<HTMLTextAreaElement>(null)
  const messages = data === undefined ? undefined : messagesOf(data.pages)
  const unread = data?.pages[0]?.unread ?? 0
  const last = messages?.at(-1)?.number ?? 0
  useEffect(() => {
    if (unread > 0) markSeen(last)
  }, [unread, last, markSeen])
  const name = row?.name ?? messages?.find(({ from_staff: staff }) => !staff)?.author ?? ''
  return (
    <section aria-label={name} className="flex min-h-0 flex-col max-lg:h-[calc(100dvh-8rem)]">
      <header className="border-border flex items-center gap-2 border-b px-4 py-2.5">
        <Button asChild variant="ghost" size="icon" className="lg:hidden">
          <Link to="/inbox" search={{ page: page === 0 ? undefined : page }} aria-label={t('inbox.back')}>
            <ArrowLeft aria-hidden />
          </Link>
        </Button>
        <div className="min-w-0">
          <h2 data-arrival tabIndex={-1} className="truncate font-semibold outline-none">
            {name}
          </h2>
          {row !== undefined && <p className="text-muted-foreground truncate text-xs">{row.space_name}</p>}
        </div>
      </header>
      {error !== null && data === undefined ? (
        <LoadError title={t('error')} error={error} onRetry={() => void refetch()} />
      ) : (
        <Conversation
          messages={messages}
          staff
          onOlder={hasNextPage ? () => void fetchNextPage() : null}
          empty={t('inbox.noMessages')}
          draft={draft}
          onDraft={setDraft}
          onSend={(text) => reply.mutate(text, { onSuccess: () => setDraft('') })}
          sending={reply.isPending}
          failure={reply.error === null ? null : errorText(reply.error)}
          maxLength={LONGEST_MESSAGE}
          input={input}
        />
      )}
    </section>
  )
}
