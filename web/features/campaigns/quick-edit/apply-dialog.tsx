import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogFrame } from '@/components/dialog-frame'
import { DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { Button } from '@/components/ui/button'

type ApplyDialogProps = {
  readonly title: string
  readonly text: string
  /** How far the saves are. */
  readonly progress: { readonly running: boolean; readonly saved: number; readonly failed: number }
  /** How many campaigns can be saved; null where there is nothing to apply yet. */
  readonly ready: number | null
  /** Preview of the change; shown until something was saved or refused. */
  readonly note: string
  /** Buttons before the cancel button. */
  readonly further?: ReactNode
  readonly busy?: boolean
  readonly onApply: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog that saves several campaigns one by one and stays open, with the outcome, while some are refused. */
export function ApplyDialog(props: ApplyDialogProps) {
  const { title, text, progress, ready, note, further, busy = false, onApply, onClose, children } = props
  const { running, saved, failed } = progress
  const { t } = useTranslation(['quickEdit', 'common'])
  const isTried = saved > 0 || failed > 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    onApply()
  }
  const applyText = (count: number) => {
    if (running) return t('quickEdit:applying')
    return count === 0 ? t('quickEdit:applyNone') : t(failed > 0 ? 'quickEdit:again' : 'quickEdit:apply', { count })
  }
  return (
    <DialogFrame
      title={title}
      description={text}
      className="top-[6vh] max-h-[88vh] w-[900px]"
      onClose={() => !running && onClose()}
    >
      <form noValidate onSubmit={submit} aria-busy={running || busy} className="flex min-h-0 flex-col">
        <DialogPanelBody>{children}</DialogPanelBody>
        <DialogPanelFooter className="items-center">
          <output className="text-muted-foreground mr-auto text-[0.8125rem]/4.5">
            {isTried ? t('quickEdit:outcome', { saved, failed }) : note}
          </output>
          {further}
          <Button variant="outline" disabled={running} onClick={onClose}>
            {t(isTried ? 'common:close' : 'common:cancel')}
          </Button>
          {ready !== null && (
            <Button type="submit" aria-disabled={running || ready === 0}>
              {applyText(ready)}
            </Button>
          )}
        </DialogPanelFooter>
      </form>
    </DialogFrame>
  )
}
