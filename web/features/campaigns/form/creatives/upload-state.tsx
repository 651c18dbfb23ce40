import { CircleAlert } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { FileDrop } from '@/components/file-drop'
import type { Progress } from './uploads.ts'

type UploadAreaProps = {
  readonly accept: readonly string[]
  readonly label: string
  readonly disabled?: boolean
  readonly progress: Progress | null
  /** True where several files may be sent at once. */
  readonly several?: boolean
  readonly onFiles: (files: readonly File[]) => void
  readonly onStop: () => void
  readonly children: ReactNode
}

/** An upload area. During an upload it shows the progress and a stop button. */
export function UploadArea({ accept, label, disabled, progress, several = false, onFiles, onStop, children }: UploadAreaProps) {
  const { t } = useTranslation('creatives')
  const [tooMany, setTooMany] = useState(0)
  return (
    <>
      <FileDrop
        multiple={several}
        accept={accept.join(',')}
        label={label}
        {...(disabled === undefined ? {} : { disabled })}
        busy={progress === null ? null : <UploadProgress progress={progress} onStop={onStop} />}
        onFiles={(files) => {
          const refused = !several && files.length > 1
          setTooMany(refused ? files.length : 0)
          if (!refused) onFiles(files)
        }}
      >
        {children}
      </FileDrop>
      {tooMany > 0 && <UploadProblem problem={t('oneFile', { count: tooMany })} />}
    </>
  )
}

function UploadProgress({
  progress: { name, fraction, number, of },
  onStop,
}: {
  readonly progress: Progress
  readonly onStop: () => void
}) {
  const { t } = useTranslation('creatives')
  return (
    <div className="@container mx-auto w-full max-w-md min-w-0 text-left">
      <div className="flex flex-col gap-2 @3xs:flex-row @3xs:items-center @3xs:gap-3">
        <div className="min-w-0 grow">
          <p className="text-[0.8125rem]/4.5 [overflow-wrap:anywhere]">
            {t('uploading', { name })}
            {of > 1 && ` ${t('uploadingNumber', { number, of })}`}
          </p>
          <progress value={fraction} aria-label={t('uploading', { name })} className="progress mt-1.5 block h-1 w-full" />
        </div>
        <Button variant="outline" size="sm" aria-label={t('stopNamed', { name })} onClick={onStop}>
          {t('stop')}
        </Button>
      </div>
    </div>
  )
}

/** Shows and announces why a file was rejected. */
export function UploadProblem({ problem }: { readonly problem: string | null }) {
  return (
    <div role="alert">
      {problem !== null && (
        <p className="text-destructive text-xs flex gap-1.5">
          <CircleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
          <span className="min-w-0 [overflow-wrap:anywhere] whitespace-pre-line">{problem}</span>
        </p>
      )}
    </div>
  )
}
