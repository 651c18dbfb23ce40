import { Button } from './ui/button.tsx'
import { DialogPanel, DialogPanelFooter } from '@/components/dialog-panel'
import { Dialog } from '@/components/ui/dialog'

import type { ConfirmDialogProps } from './confirm-dialog.tsx'

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
