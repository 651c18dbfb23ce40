import type { ComponentProps } from 'react'
import type { Popup } from '@/lib/use-popup'
import { returnFocus } from '@/lib/return-focus'
import { Popover, PopoverAnchor, PopoverContent } from './ui/popover.tsx'

type PopoverPanelProps = ComponentProps<typeof PopoverContent> & { readonly popup: Popup }

/** The popover of a button that another component draws (`usePopup`). */
export function PopoverPanel({ popup: { open, onOpenChange, button }, ...props }: PopoverPanelProps) {
  return (
    <Popover open={open} onOpenChange={onOpenChange}>
      <PopoverAnchor virtualRef={button} />
      <PopoverContent
        onInteractOutside={(event) => {
          // A press on the button already closes the popover.
          if (event.target instanceof Node && button.current?.contains(event.target)) event.preventDefault()
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          returnFocus(button.current)
        }}
        {...props}
      />
    </Popover>
  )
}
