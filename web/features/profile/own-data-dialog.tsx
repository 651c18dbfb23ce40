import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { downloadOwnData } from '#contract/own-data'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { AppError } from '@/data/app-error'
import { download } from '@/data/client'
import { today } from '@/lib/clock'
import { toDay } from '@/lib/date-range'
import { saveFile } from '@/lib/save-file'
import { toast } from '@/lib/toast'
import { failureText } from './failure-text.ts'
import { profileQueries } from './profile-queries.ts'

const TOO_MANY = 429

/** Saves the copy as a file. */
export function OwnDataDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('profile')
  const copy = useMutation({
    meta: { silent: true, invalidates: [profileQueries.signIns().queryKey] },
    mutationFn: () => download(downloadOwnData, { body: {} }),
    onSuccess: (file) => {
      saveFile(file, `my-data-${toDay(today())}.zip`)
      toast.success(t('ownData.done'))
      onClose()
    },
  })
  const isOverLimit = copy.error instanceof AppError && copy.error.status === TOO_MANY
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel title={t('ownData.open')} description={t('ownData.dialogText')}>
        {copy.isError && (
          <DialogPanelBody>
            <p role="alert" className="text-destructive text-xs">
              {isOverLimit ? t('ownData.limit') : failureText(copy.error)}
            </p>
          </DialogPanelBody>
        )}
        <DialogPanelFooter>
          <Button variant="ghost" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button disabled={copy.isPending} onClick={() => copy.mutate()}>
            {t('ownData.submit')}
          </Button>
        </DialogPanelFooter>
      </DialogPanel>
    </Dialog>
  )
}
