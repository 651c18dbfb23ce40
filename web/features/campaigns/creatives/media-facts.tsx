import { useFileSize } from '@/components/upload/file-size'

export { useFileSize }

/** Formats seconds as a player does. */
export const lengthText = (seconds: number) => {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

type MediaFactsProps = {
  readonly name: string | null
  readonly seconds: number | null
  readonly bytes: number | null
  readonly size?: { readonly width: number | null; readonly height: number | null }
}

/** Shows the known properties of a file: name, length, size and pixels. */
export function MediaFacts({ name, seconds, bytes, size }: MediaFactsProps) {
  const weight = useFileSize()
  const pixels = size?.width && size.height ? `${size.width}x${size.height}` : null
  const facts = [seconds === null ? null : lengthText(seconds), bytes === null ? null : weight(bytes), pixels].filter(Boolean)
  return (
    <p className="text-xs flex min-w-0 gap-2">
      {name !== null && <span className="min-w-0 wrap-anywhere">{name}</span>}
      <span className="text-muted-foreground shrink-0 tabular-nums">{facts.join(' · ')}</span>
    </p>
  )
}
