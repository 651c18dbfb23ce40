import { CircleAlert, Music } from 'lucide-react'
import { useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { uploadAudio } from '#contract/files'
import { useKeptFocus } from '@/lib/use-kept-focus'
import { useCampaignForm, useFieldError } from '@/features/campaigns/form/campaign-form-context'
import { AUDIO_TYPES, audioFault } from '@/features/campaigns/form/creatives/media-check'
import { Upload, useUploadRows } from '@/components/upload/upload'
import type { StoredFile } from '#contract/files'
import { useMediaSend } from '@/features/campaigns/form/creatives/use-media-send'
import { FromLibrary } from '@/features/campaigns/form/library/from-library'
import { MAX_TRACKS } from './tracks-slice.ts'

type TrackDropProps = { readonly full: boolean; readonly onUploaded: (file: StoredFile) => void }

export function TrackDrop({ full, onUploaded }: TrackDropProps) {
  const { t } = useTranslation('creatives')
  const { control, getValues } = useCampaignForm()
  const error = useFieldError('tracks.tracks')
  const {
    field: { ref: anchor },
  } = useController({ control, name: 'tracks.tracks' })
  // Error lists link here.
  const keptFocus = useKeptFocus<HTMLFieldSetElement>(anchor)
  const sending = useMediaSend({
    kind: 'audio',
    endpoint: uploadAudio,
    check: (file) => (getValues('tracks.tracks').length >= MAX_TRACKS ? 'creatives:tracks.full' : audioFault(file)),
  })
  const label = t('addNamed', { name: t('tracks.track') })
  const rows = useUploadRows(sending.uploads, 'tracks')
  return (
    <fieldset {...keptFocus} tabIndex={-1} aria-label={label} className="col-span-2 flex flex-col gap-2">
      <Upload
        slot="tracks"
        rows={rows}
        label={label}
        accept={AUDIO_TYPES}
        multiple
        // Each file is checked against the tracks that are there by then.
        atOnce={1}
        disabled={full}
        onUploaded={onUploaded}
        {...sending}
      >
        <Music aria-hidden className="text-muted-foreground size-6 stroke-[1.5]" />
        <span className="font-medium">{full ? t('tracks.full') : t('choose')}</span>
        <span className="text-muted-foreground text-xs max-w-[52ch] text-balance">{t('tracks.limits')}</span>
      </Upload>
      <FromLibrary place="track" disabled={full} />
      {error !== undefined && (
        <p className="text-destructive text-xs flex gap-1.5">
          <CircleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
          {error}
        </p>
      )}
    </fieldset>
  )
}
