import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { LONGEST_MESSAGE } from '#domain/chat/message'
import { Conversation } from '@/components/chat/conversation'
import { LoadError } from '@/components/load-error'
import { Button } from '@/components/ui/button'
import { chatMutations, chatQueries, messagesOf } from '@/data/chat-queries'
import { errorText } from '@/i18n/error-text'
import { useWhitelabel } from '@/session/session-queries'

type ChatPanelProps = { readonly draft: string; readonly onDraft: (draft: string) => void; readonly onClose: () => void }

/** The conversation with the staff, beside the page: the page can be used while it is open. */
export function ChatPanel({ draft, onDraft, onClose }: ChatPanelProps) {
  const { t } = useTranslation(['chat', 'common'])
  const { name } = useWhitelabel()
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(chatQueries.own(true))
  const send = useMutation(chatMutations.send())
  const read = useMutation(chatMutations.read())
  const input = useRef<HTMLTextAreaElement>(null)
  const panel = useRef<HTMLElement>(null)
  const newest = data?.pages[0]
  const unread = newest?.unread ?? 0
  const last = newest?.messages.at(-1)?.number ?? 0
  const { mutate: markRead } = read
  useEffect(() => {
    if (unread > 0) markRead(last)
  }, [unread, last, markRead])
  useEffect(() => input.current?.focus(), [])
  useEscape(panel, onClose)
  return (
    <section
      ref={panel}
      aria-label={t('chat:title', { name })}
      className="animate-enter bg-popover text-popover-foreground border-border fixed right-3 bottom-3 z-40 flex h-[min(34rem,calc(100dvh-1.5rem))] w-[min(24rem,calc(100vw-1.5rem))] flex-col rounded-xl border shadow-lg"
    >
      <header className="border-border flex items-center gap-3 border-b py-2 pr-2 pl-4">
        <div className="min-w-0 grow">
          <h2 className="truncate font-semibold">{t('chat:title', { name })}</h2>
          <p className="text-muted-foreground text-xs">{t('chat:lead')}</p>
        </div>
        <Button variant="ghost" size="icon" aria-label={t('common:close')} onClick={onClose}>
          <X aria-hidden />
        </Button>
      </header>
      {error !== null && data === undefined ? (
        <LoadError title={t('chat:error')} error={error} onRetry={() => void refetch()} />
      ) : (
        <Conversation
          messages={data === undefined ? undefined : messagesOf(data.pages)}
          staff={false}
          onOlder={hasNextPage ? () => void fetchNextPage() : null}
          empty={t('chat:empty')}
          draft={draft}
          onDraft={onDraft}
          onSend={(text) => send.mutate(text, { onSuccess: () => onDraft('') })}
          sending={send.isPending}
          failure={send.error === null ? null : errorText(send.error)}
          maxLength={LONGEST_MESSAGE}
          input={input}
        />
      )}
    </section>
  )
}

/** Closes the panel by Escape, while the focus is in it. */
function useEscape(panel: RefObject<HTMLElement | null>, onClose: () => void) {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    const element = panel.current
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      close()
    }
    element?.addEventListener('keydown', onKey)
    return () => element?.removeEventListener('keydown', onKey)
  }, [panel])
}
