import { useTranslation } from 'react-i18next'
import { cn } from '@/lib/utils'
import { lengthText } from './media-facts.tsx'

type WaveformProps = {
  readonly name: string
  /** Between 0 and 1. */
  readonly peaks: readonly number[]
  /** Seconds. */
  readonly length: number
  readonly position: number
  readonly onSeek: (seconds: number) => void
}

const HEIGHT = 40
/** Silence is drawn too. */
const LOWEST = 1.5

/** The shape of a sound with the position in it, which the pointer and the arrow keys move. */
export function Waveform({ name, peaks, length, position, onSeek }: WaveformProps) {
  const { t } = useTranslation('creatives')
  const played = length === 0 ? 0 : position / length
  return (
    <div className="has-focus-visible:outline-primary-ink relative h-10 rounded-md has-focus-visible:outline-2 has-focus-visible:outline-offset-2">
      <svg aria-hidden viewBox={`0 0 ${peaks.length} ${HEIGHT}`} preserveAspectRatio="none" className="size-full">
        {peaks.map((peak, bar) => {
          const high = Math.max(LOWEST, peak * HEIGHT)
          return (
            <rect
              // A bar has no key but its place.
              // oxlint-disable-next-line react/no-array-index-key
              key={bar}
              x={bar + 0.15}
              y={(HEIGHT - high) / 2}
              width={0.7}
              height={high}
              className={cn((bar + 0.5) / peaks.length < played ? 'fill-primary-ink' : 'fill-muted-foreground')}
            />
          )
        })}
      </svg>
      <input
        type="range"
        min={0}
        max={length}
        step={0.5}
        value={position}
        aria-label={t('tracks.position', { name })}
        aria-valuetext={t('tracks.positionText', { at: lengthText(position), length: lengthText(length) })}
        onChange={({ target }) => onSeek(Number(target.value))}
        className="absolute inset-0 size-full cursor-pointer opacity-0"
      />
    </div>
  )
}
