import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import { useRef, type ComponentProps, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { cn } from '@/lib/utils'

export const Dialog = Primitive.Root
export const DialogClose = Primitive.Close

type DialogContentProps = Omit<ComponentProps<typeof Primitive.Content>, 'title'> & {
  readonly title: ReactNode
  /** Said under the title; read out when the dialog opens. */
  readonly description?: ReactNode
  /** False where the dialog offers its own ways out only. */
  readonly closable?: boolean
}

export function DialogContent({ className, title, description, closable = true, children, ...props }: DialogContentProps) {
  const { t } = useTranslation()
  const { onOpenAutoFocus, onCloseAutoFocus } = props
  const focusedBefore = useRef<Element | null>(null)
  return (
    <Primitive.Portal>
      <Primitive.Overlay data-slot="dialog-overlay" className="bg-scrim animate-fade fixed inset-0 z-50" />
      <Primitive.Content
        data-slot="dialog-content"
        className={cn(
          'animate-enter bg-popover shadow-lg fixed inset-x-0 top-[12vh] z-50 mx-auto flex max-h-[76vh] w-[480px] max-w-[calc(100vw-32px)] flex-col rounded-xl outline-none',
          className,
        )}
        {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        {...props}
        onOpenAutoFocus={(event) => {
          focusedBefore.current = document.activeElement
          onOpenAutoFocus?.(event)
        }}
        // By itself it would give the focus back to a trigger only, and none of ours has one.
        onCloseAutoFocus={(event) => {
          onCloseAutoFocus?.(event)
          if (event.defaultPrevented) return
          event.preventDefault()
          if (focusedBefore.current instanceof HTMLElement) focusedBefore.current.focus()
        }}
      >
        <div className="flex items-start gap-4 px-6 pt-5 pb-1">
          <Primitive.Title className="grow text-[16px] leading-6 font-semibold">{title}</Primitive.Title>
          {closable && (
            <Primitive.Close
              aria-label={t('close')}
              className="text-muted-foreground hover:bg-muted hover:text-foreground rounded-md -mt-1 -mr-2 grid size-8 place-items-center"
            >
              <X className="size-4" aria-hidden />
            </Primitive.Close>
          )}
        </div>
        {description !== undefined && (
          <Primitive.Description className="text-muted-foreground px-6 pb-1">{description}</Primitive.Description>
        )}
        {children}
      </Primitive.Content>
    </Primitive.Portal>
  )
}

export function DialogBody({ className, ...props }: ComponentProps<'div'>) {
  return <div data-slot="dialog-body" className={cn('flex flex-col gap-4 overflow-y-auto px-6 py-3', className)} {...props} />
}

export function DialogFooter({ className, ...props }: ComponentProps<'div'>) {
  return <div data-slot="dialog-footer" className={cn('flex justify-end gap-2 px-6 pt-3 pb-5', className)} {...props} />
}
