/** Opens the chat from anywhere on the page, with a first draft of the message. */

let listener: ((draft: string) => void) | null = null

export const openChat = (draft: string): void => listener?.(draft)

/** Registers the chat of the frame; returns its removal. */
export function onOpenChat(open: (draft: string) => void): () => void {
  listener = open
  return () => {
    if (listener === open) listener = null
  }
}
