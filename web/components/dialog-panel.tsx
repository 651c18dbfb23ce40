import { X } from 'lucide-react'
import { Dialog as DialogPrimitive } from 'radix-ui'
import { useRef, type ComponentProps, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { cn } from '@/lib/utils'
import { DialogClose, DialogDescription, DialogOverlay, DialogPortal, DialogTitle } from './ui/dialog.tsx'
import { ownForms } from '@/lib/own-forms'

type DialogPanelProps = Omit<ComponentProps<typeof DialogPrimitive.Content>, 'title'> & {
  readonly title: ReactNode
  /** Shown under the title. Screen readers read it when the dialog opens. */
  readonly description?: ReactNode
  /** False when only the dialog's own buttons close it. */
  readonly closable?: boolean
}

/** Dialog content near the top of the window, with a title bar and a scrolling body. Needs no trigger. */
export function DialogPanel({ className, title, description, closable = true, children, ...props }: DialogPanelProps) {
  const { t } = useTranslation()
  const { onOpenAutoFocus, onCloseAutoFocus } = props
  const focusedBefore = useRef<Element | null>(null)
  return (
    <DialogPortal>
      <DialogOverlay />
      <DialogPrimitive.Content
        data-slot="dialog-content"
        {...ownForms}
        className={cn(
          'fixed inset-x-0 top-[12vh] z-50 mx-auto flex max-h-[76vh] w-[480px] max-w-[calc(100vw-32px)] animate-enter flex-col rounded-xl bg-popover text-popover-foreground shadow-lg outline-none',
          className,
        )}
        {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        {...props}
        onOpenAutoFocus={(event) => {
          focusedBefore.current = document.activeElement
          onOpenAutoFocus?.(event)
        }}
        // Radix returns the focus only to a trigger, and these dialogs have none.
        onCloseAutoFocus={(event) => {
          onCloseAutoFocus?.(event)
          if (event.defaultPrevented) return
          event.preventDefault()
          if (focusedBefore.current instanceof HTMLElement) focusedBefore.current.focus()
        }}
      >
        <div className="flex items-start gap-4 px-6 pt-5 pb-1">
          <DialogTitle className="grow text-[16px] leading-6">{title}</DialogTitle>
          {closable && (
            <DialogClose
              aria-label={t('close')}
              className="-mt-1 -mr-2 grid size-8 place-items-center rounded-md text-muted-foreground hover:bg-muted hover:text-foreground"
            >
              <X className="size-4" aria-hidden />
            </DialogClose>
          )}
        </div>
        {description !== undefined && <DialogDescription className="px-6 pb-1">{description}</DialogDescription>}
        {children}
      </DialogPrimitive.Content>
    </DialogPortal>
  )
}

export function DialogPanelBody({ className, ...props }: ComponentProps<'div'>) {
  return <div data-slot="dialog-body" className={cn('flex flex-col gap-4 overflow-y-auto px-6 py-3', className)} {...props} />
}

export function DialogPanelFooter({ className, ...props }: ComponentProps<'div'>) {
  return <div data-slot="dialog-footer" className={cn('flex justify-end gap-2 px-6 pt-3 pb-5', className)} {...props} />
}
