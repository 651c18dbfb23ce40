import type { ReactNode } from 'react'
import { cn } from '@/lib/utils'
import { useDebounced } from '@/lib/use-debounced'

/** Minimum interval between screen reader announcements, milliseconds. */
const CALM = 1000

type EstimateCardProps = {
  readonly title: string
  /** The estimate; null when unknown. */
  readonly figure: string | null
  /** Its meaning, or why it is unknown. */
  readonly words: string
  /** True while the shown estimate is outdated. */
  readonly updating: boolean
  readonly children: ReactNode
}

/** An estimate below the sections of the form. Its height is constant. */
export function EstimateCard({ title, figure, words, updating, children }: EstimateCardProps) {
  const said = useDebounced(figure === null ? words : `${title}: ${figure}. ${words}`, CALM)
  return (
    <section aria-label={title} aria-busy={updating} className="border-border bg-card rounded-lg border px-3 py-3">
      <h2 className="text-[0.8125rem]/4.5 font-medium">{title}</h2>
      <div aria-hidden className={cn('mt-0.5 flex min-h-13 flex-col transition-opacity', updating && 'opacity-55')}>
        {figure !== null && <p className="text-[17px] leading-6 font-semibold tabular-nums">{figure}</p>}
        <p className="text-muted-foreground text-xs">{words}</p>
      </div>
      {children}
      <output className="sr-only">{said}</output>
    </section>
  )
}
