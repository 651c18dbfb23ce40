import { useRef, type ComponentProps, type ReactNode } from 'react'
import type { Popup } from '@/lib/use-popup'
import { DropdownMenu, DropdownMenuContent, DropdownMenuTrigger } from './ui/dropdown-menu.tsx'

type MenuPanelProps = Pick<ComponentProps<typeof DropdownMenuContent>, 'align' | 'side' | 'className' | 'onClick'> & {
  readonly popup: Popup
  readonly label: string
  readonly children: ReactNode
}

/**
 * The menu of a button that another component renders (`usePopup`); both inside a positioned element. Not modal, so that screen
 * readers can still read the page.
 */
export function MenuPanel({ popup: { open, onOpenChange, button }, label, children, ...props }: MenuPanelProps) {
  const leftByPointer = useRef(false)
  return (
    <DropdownMenu modal={false} open={open} onOpenChange={onOpenChange}>
      {/* Marks the position of the button, which is drawn before the menu is loaded. */}
      <DropdownMenuTrigger asChild>
        <span aria-hidden className="pointer-events-none absolute inset-0" />
      </DropdownMenuTrigger>
      <DropdownMenuContent
        aria-labelledby={undefined}
        aria-label={label}
        onInteractOutside={(event) => {
          // A press on the button already closes the menu.
          if (event.target instanceof Node && button.current?.contains(event.target)) event.preventDefault()
          else leftByPointer.current = true
        }}
        onCloseAutoFocus={(event) => {
          // Radix would focus the trigger, which is only a marker.
          event.preventDefault()
          if (!leftByPointer.current) button.current?.focus()
          leftByPointer.current = false
        }}
        {...props}
      >
        {children}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
