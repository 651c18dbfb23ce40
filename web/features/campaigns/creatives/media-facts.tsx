import { useTranslation } from 'react-i18next'
import { useFileSize } from '@/components/upload/file-size'
import { formatExact } from '@/i18n/format'

export { useFileSize }

/** Formats seconds as a player does. */
export const lengthText = (seconds: number) => {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

const rounded = (value: number): string => formatExact(Math.round(value * 100) / 100)

type MediaFactsProps = {
  readonly name: string | null
  readonly seconds: number | null
  readonly bytes: number | null
  readonly size?: { readonly width: number | null; readonly height: number | null }
  /** Frames per second of videos, null when they are not known. */
  readonly film?: { readonly frameRate: number | null }
}

const MEGABIT = 1_000_000

/** Shows the known properties of a file: name, length, size and pixels; of a video its frame rate and bit rate too. */
export function MediaFacts({ name, seconds, bytes, size, film }: MediaFactsProps) {
  const { t } = useTranslation('creatives')
  const weight = useFileSize()
  const pixels = size?.width && size.height ? `${size.width}x${size.height}` : null
  const rates =
    film === undefined ? [] : [film.frameRate === null ? null : t('facts.frameRate', { rate: rounded(film.frameRate) })]
  if (film !== undefined && bytes !== null && seconds)
    rates.push(t('facts.bitRate', { rate: rounded((bytes * 8) / seconds / MEGABIT) }))
  const facts = [seconds === null ? null : lengthText(seconds), bytes === null ? null : weight(bytes), pixels, ...rates]
  return (
    <p className="text-xs flex min-w-0 gap-2">
      {name !== null && <span className="min-w-0 wrap-anywhere">{name}</span>}
      <span className="text-muted-foreground shrink-0 tabular-nums">{facts.filter(Boolean).join(' · ')}</span>
    </p>
  )
}
