import { chartColour, type Series } from './series.ts'

/** The line of a series in small: its colour, dashed for what is compared with. */
export const SeriesMark = ({ colour, dashed = false }: Pick<Series, 'colour' | 'dashed'>) => (
  <svg aria-hidden width={14} height={8} className="shrink-0">
    <line
      x1={1}
      x2={13}
      y1={4}
      y2={4}
      stroke={chartColour(colour)}
      strokeWidth={dashed ? 2 : 3}
      strokeDasharray={dashed ? '3 3' : undefined}
      strokeLinecap="round"
    />
  </svg>
)

/** The names of the lines. Nothing for a single line, which the title names. */
export function ChartLegend({ series }: { readonly series: readonly Series[] }) {
  if (series.length < 2) return null
  return (
    <figcaption className="text-muted-foreground flex flex-wrap gap-x-4 gap-y-1 text-xs">
      {series.map((one) => (
        <span key={one.id} className="flex items-center gap-1.5">
          <SeriesMark {...one} />
          {one.label}
        </span>
      ))}
    </figcaption>
  )
}
