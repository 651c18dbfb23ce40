import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { downloadOwnData } from '#contract/own-data'
import { ActionDialog } from '@/components/dialog-frame'
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
    <ActionDialog
      title={t('ownData.open')}
      description={t('ownData.dialogText')}
      error={copy.isError ? (isOverLimit ? t('ownData.limit') : failureText(copy.error)) : null}
      confirm={t('ownData.submit')}
      disabled={copy.isPending}
      onConfirm={() => copy.mutate()}
      onClose={onClose}
    />
  )
}
