import { useInfiniteQuery } from '@tanstack/react-query'
import { MessageCircle } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { chatQueries } from '@/data/chat-queries'
import { formatCount } from '@/i18n/format'
import { onOpenChat } from '@/lib/open-chat'
import '@/i18n/texts/chat'

const load = () => import('./chat-panel.tsx')
const ChatPanel = lazy(async () => ({ default: (await load()).ChatPanel }))

/** The button that opens the chat with the staff of the white-label, with the number of unread answers. */
export function ChatWidget() {
  const { t } = useTranslation('chat')
  const [open, setOpen] = useState(false)
  const [draft, setDraft] = useState('')
  const button = useRef<HTMLButtonElement>(null)
  const { data } = useInfiniteQuery(chatQueries.own(open))
  const unread = data?.pages[0]?.unread ?? 0
  useEffect(
    () =>
      onOpenChat((first) => {
        setDraft((typed) => (typed === '' ? first : typed))
        setOpen(true)
      }),
    [],
  )
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
        className="text-muted-foreground hover:bg-card hover:text-foreground dark:hover:bg-popover relative flex h-9 w-full items-center gap-2.5 rounded-md px-2.5 font-medium transition-colors"
      >
        <MessageCircle aria-hidden className="size-4 shrink-0" />
        <span className="max-lg:sr-only">{t('open')}</span>
        {unread > 0 && (
          <span
            aria-label={t('unread', { count: unread })}
            className="bg-primary text-primary-foreground ml-auto min-w-5 rounded-full px-1.5 text-center text-xs leading-5 font-semibold tabular-nums max-lg:absolute max-lg:-top-1 max-lg:-right-1"
          >
            {formatCount(unread)}
          </span>
        )}
      </button>
      {open &&
        createPortal(
          <Suspense>
            <ChatPanel
              draft={draft}
              onDraft={setDraft}
              onClose={() => {
                setOpen(false)
                button.current?.focus()
              }}
            />
          </Suspense>,
          document.body,
        )}
    </>
  )
}
