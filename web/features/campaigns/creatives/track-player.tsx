import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MediaFacts } from './media-facts.tsx'
import { ServingDecision, type Decision } from './serving-decision.tsx'

const MEGABYTE = 1_048_576

type TrackPlayerProps = {
  readonly name: string
  readonly url: string | null
  /** Megabytes. */
  readonly size: number | null
  /** From the upload, or from the player once it has loaded the metadata. */
  readonly seconds: number | null
  readonly decision: Decision
  readonly onLength?: (seconds: number) => void
}

/** A playable audio ad with its properties and decisions. */
export function TrackPlayer({ name, url, size, seconds, decision, onLength }: TrackPlayerProps) {
  const { t } = useTranslation('creatives')
  const [played, setPlayed] = useState<number | null>(null)
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <MediaFacts name={name} seconds={seconds ?? played} bytes={size === null ? null : size * MEGABYTE} />
        <ServingDecision decision={decision} />
      </div>
      {url !== null && (
        // Advertisers do not supply captions for their spots.
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <audio
          controls
          preload="metadata"
          src={url}
          aria-label={t('tracks.player', { name })}
          className="h-9 w-full"
          onDurationChange={({ currentTarget: { duration } }) => {
            if (!Number.isFinite(duration)) return
            setPlayed(duration)
            onLength?.(duration)
          }}
        />
      )}
    </>
  )
}
