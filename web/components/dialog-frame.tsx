import type { ComponentProps, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { mayClose } from '@/lib/unsaved'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from './dialog-panel.tsx'
import { Button } from './ui/button.tsx'
import { Dialog } from './ui/dialog.tsx'

type DialogFrameProps = ComponentProps<typeof DialogPanel> & {
  readonly open?: boolean
  /** Whether closing asks first when typed input would be lost. */
  readonly guarded?: boolean
  readonly onClose: () => void
}

/** A dialog without a trigger. Its first field gets the focus, or else its main button, unless that one destroys something. */
export function DialogFrame({ open = true, guarded = false, onClose, ...panel }: DialogFrameProps) {
  const close = async () => {
    if (!guarded || (await mayClose())) onClose()
  }
  return (
    <Dialog open={open} onOpenChange={(next) => !next && void close()}>
      <DialogPanel onOpenAutoFocus={focusFirst} {...panel} />
    </Dialog>
  )
}

const FIELDS = '[data-slot=dialog-body] :is(input, select, textarea)'

function focusFirst(event: Event): void {
  if (!(event.currentTarget instanceof HTMLElement)) return
  const panel = event.currentTarget
  const field = [...panel.querySelectorAll<HTMLElement>(FIELDS)].find(
    (one) => !one.matches(':disabled, [type=hidden], [type=file], [tabindex="-1"], [type=radio]:not(:checked)'),
  )
  const first = panel.querySelector<HTMLElement>('[data-autofocus]') ?? field ?? panel.querySelector<HTMLElement>('[data-main]')
  if (first === null) return
  event.preventDefault()
  first.focus()
}

type DialogStepProps = {
  /** The text of the main button; without it there is none. */
  readonly confirm?: ReactNode
  readonly tone?: 'default' | 'destructive'
  readonly disabled?: boolean
  /** Work of the main button; without it, the button submits the form around the step. */
  readonly onConfirm?: (() => void) | undefined
  readonly cancel?: string
  /** Without it there is no cancel button. */
  readonly onCancel?: (() => void) | undefined
  /** Why the last attempt failed. */
  readonly error?: string | null | undefined
  /** At the start of the buttons. */
  readonly aside?: ReactNode
  readonly body?: ComponentProps<'div'>
  readonly children?: ReactNode
}

/** The body and the buttons of a dialog, or of one of its steps. */
export function DialogStep(props: DialogStepProps) {
  const { confirm, tone = 'default', disabled, onConfirm, cancel, onCancel, error = null, aside, body, children } = props
  const { t } = useTranslation()
  return (
    <>
      {(children !== undefined || error !== null) && (
        <DialogPanelBody {...body}>
          {children}
          {error !== null && (
            <p role="alert" className="text-destructive text-xs">
              {error}
            </p>
          )}
        </DialogPanelBody>
      )}
      <DialogPanelFooter className="items-center">
        {aside !== undefined && <div className="mr-auto">{aside}</div>}
        {onCancel !== undefined && (
          <Button variant="outline" onClick={onCancel}>
            {cancel ?? t('cancel')}
          </Button>
        )}
        {confirm !== undefined && (
          <Button
            type={onConfirm === undefined ? 'submit' : 'button'}
            variant={tone}
            disabled={disabled}
            data-main={tone === 'default' ? '' : undefined}
            onClick={onConfirm}
          >
            {confirm}
          </Button>
        )}
      </DialogPanelFooter>
    </>
  )
}

export type OneStepProps = Pick<DialogFrameProps, 'open' | 'title' | 'description' | 'className' | 'onClose'> &
  Omit<DialogStepProps, 'onCancel'>

/** A dialog of one step without typed values: a choice, or a question. Enter does what its main button says. */
export function ActionDialog({ open = true, title, description, className, onClose, onConfirm, ...step }: OneStepProps) {
  return (
    <DialogFrame open={open} title={title} description={description} className={className} onClose={onClose}>
      <form
        noValidate
        className="flex min-h-0 flex-col"
        onSubmit={(event) => {
          event.preventDefault()
          // The submission bubbles through React to the form of the page.
          event.stopPropagation()
          if (step.disabled !== true) onConfirm?.()
        }}
      >
        <DialogStep {...step} onCancel={onClose} />
      </form>
    </DialogFrame>
  )
}
