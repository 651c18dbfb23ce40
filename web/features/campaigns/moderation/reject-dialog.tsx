import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { DialogPanel, DialogPanelFooter } from '@/components/dialog-panel'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import type { DecisionDialogProps } from './approve-dialog.tsx'
import { RefusalNotice } from './refusal-notice.tsx'
import { RejectForm } from './reject-form.tsx'
import { useDecision } from './use-decision.ts'

export function RejectDialog({ campaign, open, onClose, onDecided, onReload }: DecisionDialogProps) {
  const { t } = useTranslation(['moderation', 'common'])
  const { decide, pending, refusal } = useDecision(campaign, onDecided)
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()}>
      <DialogPanel title={t('moderation:rejectTitle')} description={t('moderation:rejectText')}>
        <RejectForm
          className="flex min-h-0 flex-col gap-4 overflow-y-auto px-6 pt-3"
          onReject={(comment) => decide({ kind: 'reject', comment })}
        >
          {refusal !== null && <RefusalNotice error={refusal} onReload={onReload} />}
          <DialogPanelFooter className="px-0">
            <DialogClose asChild>
              <Button variant="outline">{t('common:cancel')}</Button>
            </DialogClose>
            <Button variant="destructive" type="submit" disabled={pending || refusal !== null}>
              {t('moderation:reject')}
            </Button>
          </DialogPanelFooter>
        </RejectForm>
      </DialogPanel>
    </Dialog>
  )
}
