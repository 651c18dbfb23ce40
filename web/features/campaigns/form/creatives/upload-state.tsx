import { CircleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../../components/ui/button.tsx'
import type { Progress } from './use-media-upload.ts'

type UploadStateProps = { readonly progress: Progress | null; readonly problem: string | null; readonly onStop: () => void }

/** What an upload is doing, or why it was refused. */
export function UploadState({ progress, problem, onStop }: UploadStateProps) {
  const { t } = useTranslation('creatives')
  return (
    <>
      {progress !== null && (
        <div className="flex items-center gap-2">
          <div className="min-w-0 grow">
            <p className="text-meta truncate">{t('uploading', { name: progress.name })}</p>
            <progress
              value={progress.fraction}
              aria-label={t('uploading', { name: progress.name })}
              className="progress mt-1 block h-1 w-full"
            />
          </div>
          <Button variant="ghost" size="small" onClick={onStop}>
            {t('stop')}
          </Button>
        </div>
      )}
      {problem !== null && (
        <p role="alert" className="text-bad text-meta flex gap-1.5 break-words">
          <CircleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
          <span className="min-w-0">{problem}</span>
        </p>
      )}
    </>
  )
}
