import { useTranslation } from 'react-i18next'
import { DialogPanel, DialogPanelBody } from '@/components/dialog-panel'
import { Dialog } from '@/components/ui/dialog'
import { SetupGuide } from './setup-guide.tsx'

type SetupDialogProps = { readonly open: boolean; readonly onClose: () => void }

/** The guide over the table. */
export function SetupDialog({ open, onClose }: SetupDialogProps) {
  const { t } = useTranslation('events')
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()}>
      <DialogPanel title={t('setup.title')} description={t('setup.text')} className="top-[6vh] max-h-[88vh] w-[720px]">
        <DialogPanelBody className="pb-6">
          <SetupGuide />
        </DialogPanelBody>
      </DialogPanel>
    </Dialog>
  )
}
