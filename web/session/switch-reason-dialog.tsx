import { useTranslation } from 'react-i18next'
import { FormDialog } from '@/components/form/form-dialog'
import { TextField } from '@/components/form/fields'
import { useShortForm } from '@/components/form/short-form'
import '@/i18n/texts/search'
import { switchReason } from './switch-reason.ts'

/** Asks over the page why the user switches into an account. The switch goes on with the answer. */
export function SwitchReasonDialog() {
  const { t } = useTranslation(['search', 'common'])
  const form = useShortForm<{ reason: string }>({ reason: '' }, ({ reason }) => ({
    reason: reason.trim() === '' ? t('common:fieldRequired') : null,
  }))
  return (
    <FormDialog
      title={t('why.title')}
      description={t('why.text')}
      form={form}
      guarded={false}
      cancel={t('why.cancel')}
      confirm={t('why.switch')}
      onClose={() => switchReason.answer(null)}
      onSubmit={({ reason }) => switchReason.answer(reason.trim())}
    >
      <TextField<'reason'> name="reason" label={t('why.reason')} maxLength={300} />
    </FormDialog>
  )
}
