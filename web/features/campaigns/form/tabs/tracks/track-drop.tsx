import { CircleAlert, Music } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { uploadAudio } from '../../../../../../api/contract/files.ts'
import { FileDrop } from '../../../../../components/file-drop.tsx'
import { useFieldError } from '../../campaign-form-context.ts'
import { AUDIO_TYPES, audioFault } from '../../creatives/media-check.ts'
import { UploadState } from '../../creatives/upload-state.tsx'
import { useMediaUpload, type StoredFile } from '../../creatives/use-media-upload.ts'
import type { CampaignField } from '../../form-schema.ts'

type TrackDropProps = {
  readonly name: CampaignField
  readonly full: boolean
  readonly endpoint: typeof uploadAudio
  readonly onUploaded: (file: StoredFile) => void
}

export function TrackDrop({ name, full, endpoint, onUploaded }: TrackDropProps) {
  const { t } = useTranslation('creatives')
  const error = useFieldError(name)
  const { progress, problem, send, stop } = useMediaUpload({ kind: 'audio', endpoint, check: audioFault, onUploaded })
  return (
    <div className="col-span-2 flex flex-col gap-2">
      <FileDrop
        accept={AUDIO_TYPES.join(',')}
        label={t('addNamed', { name: t('tracks.track') })}
        disabled={full || progress !== null}
        onFile={send}
      >
        <Music aria-hidden className="text-ink-soft size-6 stroke-[1.5]" />
        <span className="font-medium">{full ? t('tracks.full') : t('choose')}</span>
        <span className="text-ink-soft text-meta max-w-[52ch] text-balance">{t('tracks.limits')}</span>
      </FileDrop>
      <UploadState progress={progress} problem={problem} onStop={stop} />
      {error !== undefined && (
        <p className="text-bad text-meta flex gap-1.5">
          <CircleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
          {error}
        </p>
      )}
    </div>
  )
}
