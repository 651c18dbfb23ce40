import { useTranslation } from 'react-i18next'
import { DialogPanel, DialogPanelFooter } from '@/components/dialog-panel'
import { TextareaField } from '@/components/form/fields'
import { markSaved, ShortForm, useShortForm } from '@/components/form/short-form'
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
  const form = useShortForm({ reason: '' }, ({ reason }) => ({ reason: reason.trim() === '' ? t('queue.reasonRequired') : null }))
  const close = async () => {
    if (await mayClose()) onClose()
  }
  return (
    <Dialog open onOpenChange={(next) => !next && void close()}>
      <DialogPanel title={t('queue.rejectTitle', { name: nameOf(person) })} description={t('queue.rejectText')}>
        <ShortForm
          form={form}
          className="flex min-h-0 flex-col gap-4 overflow-y-auto px-6 pt-3"
          onSubmit={({ reason }) => {
            markSaved(form)
            onReject(reason.trim())
          }}
        >
          <TextareaField name="reason" label={t('queue.reason')} required rows={4} maxLength={MOST_TEXT} />
          <DialogPanelFooter className="px-0">
            <Button variant="outline" onClick={onClose}>
              {t('queue.cancel')}
            </Button>
            <Button variant="destructive" type="submit">
              {t('queue.reject')}
            </Button>
          </DialogPanelFooter>
        </ShortForm>
      </DialogPanel>
    </Dialog>
  )
}
