import { Popover as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/utils'
import type { Popup } from '@/lib/use-popup'

export const Popover = Primitive.Root
export const PopoverTrigger = Primitive.Trigger

export function PopoverContent({ className, sideOffset = 6, ...props }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        data-slot="popover-content"
        sideOffset={sideOffset}
        className={cn('animate-enter bg-popover shadow-lg z-50 rounded-[10px] p-2 outline-none', className)}
        {...props}
      />
    </Primitive.Portal>
  )
}

type PanelProps = ComponentProps<typeof Primitive.Content> & { readonly popup: Popup }

/** What opens beside a button that stands elsewhere (`usePopup`). */
export function PopoverPanel({ popup: { open, onOpenChange, button }, ...props }: PanelProps) {
  return (
    <Popover open={open} onOpenChange={onOpenChange}>
      <Primitive.Anchor virtualRef={button} />
      <PopoverContent
        onInteractOutside={(event) => {
          // A press on the button closes it by itself.
          if (event.target instanceof Node && button.current?.contains(event.target)) event.preventDefault()
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          button.current?.focus()
        }}
        {...props}
      />
    </Popover>
  )
}
