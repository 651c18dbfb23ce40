import { useMutation, useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { downloadOwnData } from '#contract/own-data'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { ShortForm, showFaults, useShortForm } from '@/components/form/short-form'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { AppError } from '@/data/app-error'
import { download } from '@/data/client'
import { fieldFaults } from '@/data/field-faults'
import { today } from '@/lib/clock'
import { toDay } from '@/lib/date-range'
import { saveFile } from '@/lib/save-file'
import { toast } from '@/lib/toast'
import { profileQueries } from './profile-queries.ts'
import { ProofFields } from './proof-fields.tsx'

type Values = { readonly password: string; readonly code: string }

const TOO_MANY = 429

/** Asks for the password, and the code where the second factor is on, and saves the copy as a file. */
export function OwnDataDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('profile')
  const form = useShortForm<Values>({ password: '', code: '' })
  const [password, code] = useWatch({ control: form.control, name: ['password', 'code'] })
  const asksForCode = useQuery(profileQueries.secondFactor()).data?.on === true
  const copy = useMutation({
    meta: { silent: true, invalidates: [profileQueries.signIns().queryKey] },
    mutationFn: (values: Values) =>
      download(downloadOwnData, {
        body: { password: values.password, ...(asksForCode ? { code: values.code.trim() } : {}) },
      }),
    onSuccess: (file) => {
      saveFile(file, `my-data-${toDay(today())}.zip`)
      toast.success(t('ownData.done'))
      onClose()
    },
    onError: (error) => void showFaults(form, error),
  })
  const isReady = password !== '' && (!asksForCode || code.trim() !== '')
  const isOverLimit = copy.error instanceof AppError && copy.error.status === TOO_MANY
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel title={t('ownData.open')} description={t('ownData.dialogText')}>
        <ShortForm form={form} guarded={false} onSubmit={(values) => copy.mutate(values)} className="flex min-h-0 flex-col">
          <DialogPanelBody>
            <ProofFields asksForCode={asksForCode} />
            {copy.isError && Object.keys(fieldFaults(copy.error)).length === 0 && (
              <p role="alert" className="text-destructive text-xs">
                {t(isOverLimit ? 'ownData.limit' : 'password.failed')}
              </p>
            )}
          </DialogPanelBody>
          <DialogPanelFooter>
            <Button type="button" variant="ghost" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" disabled={copy.isPending || !isReady}>
              {t('ownData.submit')}
            </Button>
          </DialogPanelFooter>
        </ShortForm>
      </DialogPanel>
    </Dialog>
  )
}
