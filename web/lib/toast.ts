import type { ExternalToast } from 'sonner'

type Kind = 'success' | 'error' | 'info'
export type Message =
  | { readonly kind: Kind; readonly text: string; readonly options: ExternalToast | undefined }
  | { readonly kind: 'dismiss'; readonly id: string }

const listeners = new Set<() => void>()
let waiting: readonly Message[] = []
let deliver: ((message: Message) => void) | null = null

function send(message: Message) {
  if (deliver !== null) return deliver(message)
  waiting = [...waiting, message]
  for (const listener of listeners) listener()
}

const say = (kind: Kind) => (text: string, options?: ExternalToast) => send({ kind, text, options })

/** Short messages at the edge of the screen. Their component loads with the first message. */
export const toast = {
  success: say('success'),
  error: say('error'),
  info: say('info'),
  dismiss: (id: string) => send({ kind: 'dismiss', id }),
}

/** For the toaster component: a subscription to new messages, and the messages queued before it mounted. */
export const toasts = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  wanted: () => waiting.length > 0,
  takeOver: (to: (message: Message) => void) => {
    deliver = to
    for (const message of waiting) to(message)
    waiting = []
    return () => {
      deliver = null
    }
  },
}
