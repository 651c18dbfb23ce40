import { useTranslation } from 'react-i18next'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { TextField } from '@/components/form/fields'
import { ShortForm, useShortForm } from '@/components/form/short-form'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import '@/i18n/texts/search'
import { switchReason } from './switch-reason.ts'

/** Asks over the page why the user switches into an account. The switch goes on with the answer. */
export function SwitchReasonDialog() {
  const { t } = useTranslation(['search', 'common'])
  const form = useShortForm<{ reason: string }>({ reason: '' }, ({ reason }) => ({
    reason: reason.trim() === '' ? t('common:fieldRequired') : null,
  }))
  return (
    <Dialog open onOpenChange={(open) => !open && switchReason.answer(null)}>
      <DialogPanel title={t('why.title')} description={t('why.text')}>
        <ShortForm
          form={form}
          guarded={false}
          onSubmit={({ reason }) => switchReason.answer(reason.trim())}
          className="flex min-h-0 flex-col"
        >
          <DialogPanelBody>
            <TextField<'reason'> name="reason" label={t('why.reason')} maxLength={300} />
          </DialogPanelBody>
          <DialogPanelFooter>
            <Button type="button" variant="ghost" onClick={() => switchReason.answer(null)}>
              {t('why.cancel')}
            </Button>
            <Button type="submit">{t('why.switch')}</Button>
          </DialogPanelFooter>
        </ShortForm>
      </DialogPanel>
    </Dialog>
  )
}
