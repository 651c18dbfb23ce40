import { CircleAlert, Trash2 } from 'lucide-react'
import { useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../../../components/ui/button.tsx'
import { useCampaignForm, useFieldError, useFormBase } from '../../campaign-form-context.ts'
import { MediaFacts } from '../../creatives/media-facts.tsx'
import { ServingDecision, type Decision } from '../../creatives/serving-decision.tsx'
import type { TrackValue } from './tracks-slice.ts'

const MEGABYTE = 1_048_576

type TrackCardProps = {
  readonly index: number
  readonly track: TrackValue
  /** As the upload told; else as the player tells once it has looked. */
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
      className="border-hairline bg-surface rounded-card flex items-center gap-4 border px-4 py-3"
    >
      <div className="flex min-w-0 grow flex-col gap-1.5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <MediaFacts name={name} seconds={seconds} bytes={track.size === null ? null : track.size * MEGABYTE} />
          <ServingDecision decision={decision} />
        </div>
        {track.url !== null && (
          // An advertiser's own spot: there are no captions to offer.
          // oxlint-disable-next-line jsx-a11y/media-has-caption
          <audio
            controls
            preload="metadata"
            src={track.url}
            aria-label={t('tracks.player', { name })}
            className="h-9 w-full"
            onDurationChange={({ currentTarget }) => {
              if (Number.isFinite(currentTarget.duration)) onLength(currentTarget.duration)
            }}
          />
        )}
        {error !== undefined && (
          <p className="text-bad text-meta flex gap-1.5">
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
