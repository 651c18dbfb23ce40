import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogPanel, DialogPanelFooter } from '@/components/dialog-panel'
import { FieldTextarea, LabelledField } from '@/components/form/labelled-field'
import { UnsavedGuard } from '@/components/form/unsaved-guard'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { mayClose } from '@/lib/unsaved'
import { nameOf, type Decided } from './use-registrant-decision.ts'

const MOST_TEXT = 5000

type RejectRegistrantDialogProps = {
  readonly person: Decided
  readonly onClose: () => void
  readonly onReject: (comment: string) => void
}

/** Asks for the reason, which the registrant gets by mail. */
export function RejectRegistrantDialog({ person, onClose, onReject }: RejectRegistrantDialogProps) {
  const { t } = useTranslation('registration')
  const [text, setText] = useState('')
  const [tried, setTried] = useState(false)
  const missing = text.trim() === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!missing) onReject(text.trim())
  }
  const close = async () => {
    if (await mayClose()) onClose()
  }
  return (
    <Dialog open onOpenChange={(next) => !next && void close()}>
      <DialogPanel title={t('queue.rejectTitle', { name: nameOf(person) })} description={t('queue.rejectText')}>
        <UnsavedGuard unsaved={text.trim() !== ''} />
        <form noValidate onSubmit={submit} className="flex min-h-0 flex-col gap-4 overflow-y-auto px-6 pt-3">
          <LabelledField label={t('queue.reason')} error={tried && missing ? t('queue.reasonRequired') : undefined}>
            <FieldTextarea
              required
              rows={4}
              maxLength={MOST_TEXT}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          </LabelledField>
          <DialogPanelFooter className="px-0">
            <Button type="button" variant="outline" onClick={onClose}>
              {t('queue.cancel')}
            </Button>
            <Button variant="destructive" type="submit">
              {t('queue.reject')}
            </Button>
          </DialogPanelFooter>
        </form>
      </DialogPanel>
    </Dialog>
  )
}
