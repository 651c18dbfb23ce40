import type { ReactNode } from 'react'
import { Button } from './ui/button.tsx'
import { DialogPanel, DialogPanelFooter } from '@/components/dialog-panel'
import { Dialog } from '@/components/ui/dialog'

export type ConfirmDialogProps = {
  readonly open: boolean
  readonly title: string
  readonly text: string
  readonly confirm: string
  readonly cancel: string
  /** Another way out, at the start of the buttons. */
  readonly aside?: ReactNode
  readonly tone?: 'default' | 'destructive'
  readonly onConfirm: () => void
  readonly onCancel: () => void
  /** Sets the focus after closing, for when the previously focused element may be gone. */
  readonly onCloseAutoFocus?: (event: Event) => void
}

/** A question with two answers. Escape and the close button mean the safe one. 480 px wide (campaigns.md §9). */
export function ConfirmDialogContent(props: ConfirmDialogProps) {
  const { open, title, text, confirm, cancel, aside, tone = 'default', onConfirm, onCancel, onCloseAutoFocus } = props
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onCancel()}>
      <DialogPanel
        title={title}
        description={text}
        role="alertdialog"
        {...(onCloseAutoFocus === undefined ? {} : { onCloseAutoFocus })}
      >
        <DialogPanelFooter>
          {aside !== undefined && <div className="mr-auto">{aside}</div>}
          <Button variant="outline" onClick={onCancel}>
            {cancel}
          </Button>
          <Button variant={tone} onClick={onConfirm}>
            {confirm}
          </Button>
        </DialogPanelFooter>
      </DialogPanel>
    </Dialog>
  )
}
