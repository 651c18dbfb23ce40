import { Button } from './ui/button.tsx'
import { Dialog, DialogContent, DialogFooter } from './ui/dialog.tsx'

import type { ConfirmDialogProps } from './confirm-dialog.tsx'

/** One question, two answers; Escape and the cross mean the safe one. 480 px wide (campaign.md §9). */
export function ConfirmDialogContent(props: ConfirmDialogProps) {
  const { open, title, text, confirm, cancel, tone = 'default', onConfirm, onCancel, onCloseAutoFocus } = props
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onCancel()}>
      <DialogContent
        title={title}
        description={text}
        role="alertdialog"
        {...(onCloseAutoFocus === undefined ? {} : { onCloseAutoFocus })}
      >
        <DialogFooter>
          <Button variant="outline" onClick={onCancel}>
            {cancel}
          </Button>
          <Button variant={tone} onClick={onConfirm}>
            {confirm}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}
