import { useTranslation } from 'react-i18next'
import { FormDialog } from '@/components/form/form-dialog'
import { TextareaField } from '@/components/form/fields'
import { markSaved, useShortForm } from '@/components/form/short-form'
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
  return (
    <FormDialog
      title={t('queue.rejectTitle', { name: nameOf(person) })}
      description={t('queue.rejectText')}
      form={form}
      cancel={t('queue.cancel')}
      confirm={t('queue.reject')}
      tone="destructive"
      onClose={onClose}
      onSubmit={({ reason }) => {
        markSaved(form)
        onReject(reason.trim())
      }}
    >
      <TextareaField name="reason" label={t('queue.reason')} required rows={4} maxLength={MOST_TEXT} />
    </FormDialog>
  )
}
