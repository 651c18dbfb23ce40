import { Check, CircleAlert, RotateCw, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { Progress } from '../ui/progress.tsx'
import { useFileSize } from './file-size.ts'
import { isActive, type UploadRow } from './uploads.ts'

type UploadLineProps = { readonly row: UploadRow; readonly onRemove: () => void; readonly onRetry: () => void }

/** One file: its name, size and state, with the actions of that state. */
export function UploadLine({ row, onRemove, onRetry }: UploadLineProps) {
  const { t } = useTranslation('controls')
  const sizeText = useFileSize()
  const { name, size, state, fraction, reason } = row
  return (
    <div className="text-[0.8125rem]/4.5 flex flex-wrap items-center gap-x-3 gap-y-2 text-left">
      <div className="flex min-w-0 grow basis-40 flex-col gap-1">
        <p className="flex items-baseline gap-2">
          <span className="min-w-0 [overflow-wrap:anywhere]">{name}</span>
          <span className="text-muted-foreground text-xs shrink-0 tabular-nums">{sizeText(size)}</span>
        </p>
        {state === 'waiting' && <p className="text-muted-foreground text-xs">{t('upload.waiting')}</p>}
        {state === 'uploading' && <Progress value={fraction * 100} aria-label={t('upload.uploading', { name })} />}
        {state === 'done' && (
          <p className="text-success text-xs flex gap-1.5">
            <Check aria-hidden className="mt-0.5 size-3 shrink-0" />
            {t('upload.done')}
          </p>
        )}
        {state === 'refused' && (
          <p className="text-destructive text-xs flex gap-1.5">
            <CircleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
            {reason}
          </p>
        )}
      </div>
      {state === 'refused' && (
        <Button variant="ghost" size="icon" aria-label={t('upload.retry', { name })} onClick={onRetry}>
          <RotateCw aria-hidden />
        </Button>
      )}
      <Button
        variant="ghost"
        size="icon"
        aria-label={t(isActive(row) ? 'upload.cancel' : 'upload.remove', { name })}
        onClick={onRemove}
      >
        <X aria-hidden />
      </Button>
    </div>
  )
}
