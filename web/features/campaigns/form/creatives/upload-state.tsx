import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../../components/ui/button.tsx'
import { FileDrop } from '../../../../components/file-drop.tsx'
import type { Progress } from './uploads.ts'

type UploadAreaProps = {
  readonly accept: readonly string[]
  readonly label: string
  readonly disabled?: boolean
  readonly progress: Progress | null
  readonly onFile: (file: File) => void
  readonly onStop: () => void
  readonly children: ReactNode
}

/** Where a file is dropped or chosen; while one is on its way, how far it has come and a way to stop it. */
export function UploadArea({ accept, label, disabled, progress, onFile, onStop, children }: UploadAreaProps) {
  return (
    <FileDrop
      accept={accept.join(',')}
      label={label}
      {...(disabled === undefined ? {} : { disabled })}
      busy={progress === null ? null : <UploadProgress progress={progress} onStop={onStop} />}
      onFile={onFile}
    >
      {children}
    </FileDrop>
  )
}

function UploadProgress({ progress: { name, fraction }, onStop }: { readonly progress: Progress; readonly onStop: () => void }) {
  const { t } = useTranslation('creatives')
  return (
    <div className="@container mx-auto w-full max-w-md min-w-0 text-left">
      <div className="flex flex-col gap-2 @3xs:flex-row @3xs:items-center @3xs:gap-3">
        <div className="min-w-0 grow">
          <p className="text-table truncate" title={name}>
            {t('uploading', { name })}
          </p>
          <progress value={fraction} aria-label={t('uploading', { name })} className="progress mt-1.5 block h-1 w-full" />
        </div>
        <Button variant="secondary" size="small" aria-label={t('stopNamed', { name })} onClick={onStop}>
          {t('stop')}
        </Button>
      </div>
    </div>
  )
}

/** Why a file was not taken; said aloud as it happens. */
export function UploadProblem({ problem }: { readonly problem: string | null }) {
  return (
    <div role="alert">
      {problem !== null && (
        <p className="text-bad text-meta flex gap-1.5">
          <CircleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
          <span className="min-w-0 [overflow-wrap:anywhere]">{problem}</span>
        </p>
      )}
    </div>
  )
}
