import { CircleAlert, Trash2 } from 'lucide-react'
import { useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { useCampaignForm, useFieldError, useFormBase } from '@/features/campaigns/form/campaign-form-context'
import type { Decision } from '@/features/campaigns/creatives/serving-decision'
import { TrackPlayer } from '@/features/campaigns/creatives/track-player'
import type { TrackValue } from './tracks-slice.ts'

type TrackCardProps = {
  readonly index: number
  readonly track: TrackValue
  /** From the upload, or from the player once it has loaded the metadata. */
  readonly seconds: number | null
  readonly onLength: (seconds: number) => void
  readonly decision: Decision
  readonly onRemove: () => void
}

export function TrackCard({ index, track, seconds, decision, onLength, onRemove }: TrackCardProps) {
  const { t } = useTranslation('creatives')
  const { control } = useCampaignForm()
  const { readOnly } = useFormBase()
  const {
    field: { ref: anchor },
  } = useController({ control, name: `tracks.tracks.${index}.fileId` })
  const error = useFieldError(`tracks.tracks.${index}.fileId`)
  const name = track.name ?? t('tracks.track')
  return (
    <article
      ref={anchor}
      tabIndex={-1}
      aria-label={name}
      className="border-border bg-card rounded-lg flex items-center gap-4 border px-4 py-3"
    >
      <div className="flex min-w-0 grow flex-col gap-1.5">
        <TrackPlayer name={name} url={track.url} size={track.size} seconds={seconds} decision={decision} onLength={onLength} />
        {error !== undefined && (
          <p className="text-destructive text-xs flex gap-1.5">
            <CircleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
            {error}
          </p>
        )}
      </div>
      {!readOnly && (
        <Button variant="ghost" size="icon" aria-label={t('removeNamed', { name })} onClick={onRemove}>
          <Trash2 aria-hidden />
        </Button>
      )}
    </article>
  )
}
