import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { DialogFrame, DialogStep } from '@/components/dialog-frame'
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
  const { t } = useTranslation('secrets')
  const rotation = useMutation({ meta: { silent: true, invalidates: [invalidates] }, mutationFn: rotate })
  const { data, error, isPending } = rotation
  return (
    <DialogFrame
      title={t(data === undefined ? 'rotateTitle' : 'rotatedTitle', { name })}
      closable={data === undefined}
      onClose={onClose}
    >
      {data === undefined ? (
        <DialogStep
          confirm={t('rotate')}
          disabled={isPending}
          error={error === null ? null : errorText(error)}
          onConfirm={() => rotation.mutate()}
          onCancel={onClose}
        >
          <p className="text-[0.8125rem]/5 text-pretty">{t('rotateText')}</p>
        </DialogStep>
      ) : (
        <SecretShown
          text={t('rotatedText', { at: formatMinute(data.until) })}
          secret={data.secret}
          done={kept}
          onDone={onClose}
        />
      )}
    </DialogFrame>
  )
}
