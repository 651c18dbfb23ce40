import { useTranslation } from 'react-i18next'
import { DialogFrame } from '@/components/dialog-frame'
import { DialogPanelFooter } from '@/components/dialog-panel'
import { markSaved } from '@/components/form/short-form'
import { Button } from '@/components/ui/button'
import type { DecisionDialogProps } from './approve-dialog.tsx'
import { RefusalNotice } from './refusal-notice.tsx'
import { RejectForm, useRejectForm } from './reject-form.tsx'

/** Rejects a campaign. Unless it is cancelled, it asks before what was typed is lost. */
export function RejectDialog({ open, onClose, ...decision }: DecisionDialogProps) {
  const { t } = useTranslation('moderation')
  return (
    <DialogFrame guarded open={open} title={t('rejectTitle')} description={t('rejectText')} onClose={onClose}>
      <Rejection {...decision} onCancel={onClose} />
    </DialogFrame>
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
