import { Check } from 'lucide-react'
import { DropdownMenu as Primitive } from 'radix-ui'
import { useRef, type ComponentProps, type ReactNode } from 'react'
import { cn } from '@/lib/utils'
import type { Popup } from '@/lib/use-popup'

export const DropdownMenuRadioGroup = Primitive.RadioGroup

type DropdownMenuProps = Pick<ComponentProps<typeof Primitive.Content>, 'align' | 'side' | 'className' | 'onClick'> & {
  readonly popup: Popup
  readonly label: string
  readonly children: ReactNode
}

/**
 * The menu of a button that stands elsewhere (`usePopup`); both inside an element that is positioned. Not modal: the page behind
 * stays readable for assistive tech, and nothing hides what has the focus.
 */
export function DropdownMenu({ popup: { open, onOpenChange, button }, label, className, children, ...props }: DropdownMenuProps) {
  const leftByPointer = useRef(false)
  return (
    <Primitive.Root modal={false} open={open} onOpenChange={onOpenChange}>
      {/* Only the place of the button: the button itself is there before the menu is. */}
      <Primitive.Trigger asChild>
        <span aria-hidden className="pointer-events-none absolute inset-0" />
      </Primitive.Trigger>
      {/* Inside a landmark when the frame offers one, so that a menu is never outside the page's structure. */}
      <Primitive.Portal container={document.getElementById('menus')}>
        <Primitive.Content
          data-slot="dropdown-menu-content"
          aria-labelledby={undefined}
          aria-label={label}
          sideOffset={4}
          onInteractOutside={(event) => {
            // A press on the button closes it by itself.
            if (event.target instanceof Node && button.current?.contains(event.target)) event.preventDefault()
            else leftByPointer.current = true
          }}
          onCloseAutoFocus={(event) => {
            // By itself it would go to the place of the button.
            event.preventDefault()
            if (!leftByPointer.current) button.current?.focus()
            leftByPointer.current = false
          }}
          className={cn('animate-enter bg-popover shadow-lg z-50 min-w-44 rounded-[10px] p-1', className)}
          {...props}
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

const item =
  'rounded-md text-[0.8125rem]/4.5 data-highlighted:bg-accent data-highlighted:text-accent-foreground flex min-h-8 items-center gap-2 px-2.5 outline-none select-none [&_svg]:size-4 [&_svg]:shrink-0'

export function DropdownMenuItem({ className, ...props }: ComponentProps<typeof Primitive.Item>) {
  return <Primitive.Item data-slot="dropdown-menu-item" className={cn(item, className)} {...props} />
}

export function DropdownMenuRadioItem({ className, children, ...props }: ComponentProps<typeof Primitive.RadioItem>) {
  return (
    <Primitive.RadioItem data-slot="dropdown-menu-radio-item" className={cn(item, 'pr-8', className)} {...props}>
      {children}
      <Primitive.ItemIndicator className="text-primary-ink absolute right-3">
        <Check aria-hidden />
      </Primitive.ItemIndicator>
    </Primitive.RadioItem>
  )
}

/** On or off, with the menu staying open: what was switched is seen. */
export function DropdownMenuCheckboxItem({ className, children, ...props }: ComponentProps<typeof Primitive.CheckboxItem>) {
  return (
    <Primitive.CheckboxItem
      data-slot="dropdown-menu-checkbox-item"
      onSelect={(event) => event.preventDefault()}
      className={cn(item, 'pr-8', className)}
      {...props}
    >
      {children}
      <Primitive.ItemIndicator className="text-primary-ink absolute right-3">
        <Check aria-hidden />
      </Primitive.ItemIndicator>
    </Primitive.CheckboxItem>
  )
}

export function DropdownMenuLabel({ className, ...props }: ComponentProps<typeof Primitive.Label>) {
  return <Primitive.Label className={cn('text-muted-foreground text-xs px-2.5 pt-2 pb-1 font-medium', className)} {...props} />
}

export function DropdownMenuSeparator() {
  return <Primitive.Separator className="bg-border -mx-1 my-1 h-px" />
}
