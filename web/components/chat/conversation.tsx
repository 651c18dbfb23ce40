import { SendHorizontal } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { Textarea } from '@/components/ui/textarea'
import { formatMinute } from '@/i18n/format'
import { cn } from '@/lib/utils'
import '@/i18n/texts/chat'

type Message = {
  readonly number: number
  readonly text: string
  readonly at: string
  readonly from_staff: boolean
  readonly author: string | null
}

type ConversationProps = {
  /** Oldest first; undefined while they load. */
  readonly messages: readonly Message[] | undefined
  /** On whose side the reader is. */
  readonly staff: boolean
  /** Loads older messages; null when there are none. */
  readonly onOlder: (() => void) | null
  /** Said while there is no message. */
  readonly empty: string
  readonly draft: string
  readonly onDraft: (draft: string) => void
  readonly onSend: (text: string) => void
  readonly sending: boolean
  /** Why the last message was not sent. */
  readonly failure: string | null
  readonly maxLength: number
  readonly input?: RefObject<HTMLTextAreaElement | null>
}

/** The messages of a conversation, the newest at the bottom, and a field for the next one. */
export function Conversation(props: ConversationProps) {
  const { messages, staff, onOlder, empty } = props
  const { t } = useTranslation('chat')
  const log = useRef<HTMLDivElement>(null)
  const last = messages?.at(-1)?.number ?? 0
  // Older messages are added above, and do not move what is read.
  useLayoutEffect(() => {
    if (log.current !== null && last > 0) log.current.scrollTop = log.current.scrollHeight
  }, [last])
  return (
    <div className="flex min-h-0 grow flex-col">
      <div
        ref={log}
        role="log"
        aria-label={t('messages')}
        aria-busy={messages === undefined}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by the arrow keys
        tabIndex={0}
        className="flex min-h-0 grow flex-col gap-3 overflow-y-auto p-4 outline-offset-[-2px]"
      >
        {messages === undefined && <Loading />}
        {messages?.length === 0 && <p className="text-muted-foreground m-auto max-w-64 text-center text-pretty">{empty}</p>}
        {onOlder !== null && (
          <Button variant="ghost" size="sm" className="self-center" onClick={onOlder}>
            {t('older')}
          </Button>
        )}
        {messages?.map((message) => (
          <Bubble key={message.number} message={message} own={message.from_staff === staff} />
        ))}
      </div>
      <MessageForm {...props} />
    </div>
  )
}

const Loading = () => (
  <div aria-hidden className="flex flex-col gap-3">
    <Skeleton className="h-10 w-2/3 rounded-lg" />
    <Skeleton className="h-14 w-3/4 self-end rounded-lg" />
  </div>
)

function Bubble({ message: { text, at, from_staff, author }, own }: { readonly message: Message; readonly own: boolean }) {
  const { t } = useTranslation('chat')
  const who = own && !from_staff ? t('you') : (author ?? t('team'))
  return (
    <article className={cn('flex max-w-[85%] flex-col gap-1', own ? 'items-end self-end' : 'items-start self-start')}>
      <p
        className={cn(
          'rounded-xl px-3 py-2 break-words whitespace-pre-wrap [overflow-wrap:anywhere]',
          own ? 'bg-primary text-primary-foreground rounded-br-sm' : 'bg-muted rounded-bl-sm',
        )}
      >
        {text}
      </p>
      <p className="text-muted-foreground px-1 text-xs">
        {who} · <time dateTime={at}>{formatMinute(at)}</time>
      </p>
    </article>
  )
}

function MessageForm({ draft, onDraft, onSend, sending, failure, maxLength, input }: ConversationProps) {
  const { t } = useTranslation('chat')
  const [own, setOwn] = useState(0)
  const text = draft.trim()
  const send = () => {
    if (text === '' || sending) return
    setOwn(own + 1)
    onSend(text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  // The field keeps the focus while a message is on its way.
  useEffect(() => {
    if (own > 0) input?.current?.focus()
  }, [own, input])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      className="border-border flex flex-col gap-2 border-t p-3"
    >
      <div className="flex items-end gap-2">
        <Textarea
          ref={input}
          rows={2}
          aria-label={t('message')}
          aria-describedby="chat-hint"
          aria-invalid={failure !== null}
          placeholder={t('placeholder')}
          value={draft}
          maxLength={maxLength}
          onChange={({ target }) => onDraft(target.value)}
          onKeyDown={onKeyDown}
          className="h-16 grow resize-none"
        />
        <Button type="submit" size="icon" aria-label={t('send')} aria-disabled={sending || text === ''} className="size-9">
          <SendHorizontal aria-hidden />
        </Button>
      </div>
      <p id="chat-hint" className="text-muted-foreground text-xs">
        {t('hint')}
      </p>
      <p role="alert" className="text-destructive text-xs empty:hidden">
        {failure}
      </p>
    </form>
  )
}
