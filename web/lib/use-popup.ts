import { useRef, useState, type KeyboardEvent, type RefObject } from 'react'

export type Popup = {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  /** The anchor of the popup, which receives the focus again after closing. */
  readonly button: RefObject<HTMLButtonElement | null>
}

/**
 * A button whose menu or dialog loads on first use, so that pages do not wait for rarely opened content. `shown` stays true after
 * the first opening: loaded content stays mounted.
 */
export function usePopup(kind: 'menu' | 'dialog', load: () => Promise<unknown>) {
  const [open, setOpen] = useState(false)
  const [shown, setShown] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const ahead = () => void load()
  const show = (next: boolean) => {
    if (next) setShown(true)
    setOpen(next)
  }
  return {
    shown,
    trigger: {
      ref: button,
      'aria-haspopup': kind,
      'aria-expanded': open,
      onPointerEnter: ahead,
      onFocus: ahead,
      onClick: () => show(!open),
      onKeyDown: (event: KeyboardEvent) => {
        if (kind !== 'menu' || event.key !== 'ArrowDown') return
        event.preventDefault()
        show(true)
      },
    },
    popup: { open, onOpenChange: setOpen, button } satisfies Popup,
  }
}
