import { useQuery } from '@tanstack/react-query'
import { AudioWaveform } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withoutToken } from '#domain/campaign/content/file-addresses'
import { Button } from '@/components/ui/button'
import { MediaFacts } from './media-facts.tsx'
import { ServingDecision, type Decision } from './serving-decision.tsx'
import { loadPeaks, MOST_BYTES, MOST_SECONDS } from './waveform-peaks.ts'
import { Waveform } from './waveform.tsx'

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

/** A playable audio ad with its properties and decisions. Its waveform is loaded on request, or when it is played. */
export function TrackPlayer({ name, url, size, seconds, decision, onLength }: TrackPlayerProps) {
  const { t } = useTranslation('creatives')
  const player = useRef<HTMLAudioElement>(null)
  const [played, setPlayed] = useState<number | null>(null)
  const [position, setPosition] = useState(0)
  const [wanted, setWanted] = useState(false)
  const length = played ?? seconds
  const isBounded = (size ?? 0) * MEGABYTE <= MOST_BYTES && (length ?? 0) <= MOST_SECONDS
  const {
    data: peaks,
    isFetching,
    isError,
  } = useQuery({
    queryKey: ['waveform', url === null ? null : withoutToken(url)],
    queryFn: ({ signal }) => loadPeaks(url ?? '', signal),
    enabled: wanted && isBounded && url !== null,
    staleTime: Infinity,
    retry: false,
  })
  const seek = (to: number) => {
    if (player.current !== null) player.current.currentTime = to
    setPosition(to)
  }
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <MediaFacts name={name} seconds={seconds ?? played} bytes={size === null ? null : size * MEGABYTE} />
        <ServingDecision decision={decision} />
      </div>
      {peaks !== undefined && length !== null && (
        <Waveform name={name} peaks={peaks} length={length} position={Math.min(position, length)} onSeek={seek} />
      )}
      {url !== null && (
        <div className="flex flex-wrap items-center gap-2">
          {/* Advertisers do not supply captions for their spots. */}
          {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
          <audio
            ref={player}
            controls
            preload="metadata"
            src={url}
            aria-label={t('tracks.player', { name })}
            className="h-9 min-w-0 grow"
            onPlay={() => setWanted(true)}
            onTimeUpdate={({ currentTarget }) => setPosition(currentTarget.currentTime)}
            onDurationChange={({ currentTarget: { duration } }) => {
              if (!Number.isFinite(duration)) return
              setPlayed(duration)
              onLength?.(duration)
            }}
          />
          {!wanted && isBounded && (
            <Button variant="ghost" size="sm" aria-label={t('tracks.showWaveformOf', { name })} onClick={() => setWanted(true)}>
              <AudioWaveform aria-hidden />
              {t('tracks.showWaveform')}
            </Button>
          )}
        </div>
      )}
      <output className="text-muted-foreground text-xs empty:hidden">
        {isFetching && t('tracks.waveformComes')}
        {isError && t('tracks.noWaveform')}
      </output>
    </>
  )
}
