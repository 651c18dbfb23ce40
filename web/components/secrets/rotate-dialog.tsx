import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { errorText } from '@/i18n/error-text'
import { formatMinute } from '@/i18n/format'
import { SecretShown } from './secret-shown.tsx'
import '@/i18n/texts/secrets'

/** The new secret, and until when the old one works. */
export type Rotated = { readonly secret: string; readonly until: string }

type RotateDialogProps = {
  readonly name: string
  readonly kept: string
  readonly rotate: () => Promise<Rotated>
  /** Key of the queries that a rotation makes out of date. */
  readonly invalidates: readonly unknown[]
  readonly onClose: () => void
}

/** Replaces a secret by a new one, and shows that once. */
export function RotateDialog({ name, kept, rotate, invalidates, onClose }: RotateDialogProps) {
  const { t } = useTranslation(['secrets', 'common'])
  const rotation = useMutation({ meta: { silent: true, invalidates: [invalidates] }, mutationFn: rotate })
  const { data, error, isPending } = rotation
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel
        title={t(data === undefined ? 'secrets:rotateTitle' : 'secrets:rotatedTitle', { name })}
        closable={data === undefined}
      >
        {data === undefined ? (
          <>
            <DialogPanelBody>
              <p className="text-[0.8125rem]/5 text-pretty">{t('secrets:rotateText')}</p>
              {error !== null && (
                <p role="alert" className="text-destructive text-xs">
                  {errorText(error)}
                </p>
              )}
            </DialogPanelBody>
            <DialogPanelFooter>
              <Button variant="ghost" onClick={onClose}>
                {t('common:cancel')}
              </Button>
              <Button disabled={isPending} onClick={() => rotation.mutate()}>
                {t('secrets:rotate')}
              </Button>
            </DialogPanelFooter>
          </>
        ) : (
          <SecretShown
            text={t('secrets:rotatedText', { at: formatMinute(data.until) })}
            secret={data.secret}
            done={kept}
            onDone={onClose}
          />
        )}
      </DialogPanel>
    </Dialog>
  )
}
