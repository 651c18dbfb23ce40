import { useTranslation } from 'react-i18next'
import { DialogPanel, DialogPanelFooter } from '@/components/dialog-panel'
import { markSaved } from '@/components/form/short-form'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { mayClose } from '@/lib/unsaved'
import type { DecisionDialogProps } from './approve-dialog.tsx'
import { RefusalNotice } from './refusal-notice.tsx'
import { RejectForm, useRejectForm } from './reject-form.tsx'

/** Rejects a campaign. Unless it is cancelled, it asks before what was typed is lost. */
export function RejectDialog({ open, onClose, ...decision }: DecisionDialogProps) {
  const { t } = useTranslation('moderation')
  const close = async () => {
    if (await mayClose()) onClose()
  }
  return (
    <Dialog open={open} onOpenChange={(next) => !next && void close()}>
      <DialogPanel title={t('rejectTitle')} description={t('rejectText')}>
        <Rejection {...decision} onCancel={onClose} />
      </DialogPanel>
    </Dialog>
  )
}

type RejectionProps = Omit<DecisionDialogProps, 'open' | 'onClose'> & { readonly onCancel: () => void }

function Rejection({ campaign, draft, refusal, onDecide, onReload, onCancel }: RejectionProps) {
  const { t } = useTranslation(['moderation', 'common'])
  const form = useRejectForm(draft)
  return (
    <RejectForm
      form={form}
      campaignId={campaign.id}
      className="flex min-h-0 flex-col gap-4 overflow-y-auto px-6 pt-3"
      onReject={(verdict) => {
        markSaved(form)
        onDecide(verdict)
      }}
    >
      {refusal !== null && <RefusalNotice error={refusal} campaignId={campaign.id} onReload={onReload} />}
      <DialogPanelFooter className="px-0">
        <Button type="button" variant="outline" onClick={onCancel}>
          {t('common:cancel')}
        </Button>
        <Button variant="destructive" type="submit" disabled={refusal !== null}>
          {t('moderation:reject')}
        </Button>
      </DialogPanelFooter>
    </RejectForm>
  )
}
