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

/** The names of the lines, but of a single one, which the title names; and what a dotted end means. */
export function ChartLegend({
  series,
  openLabel,
}: {
  readonly series: readonly Series[]
  readonly openLabel?: string | undefined
}) {
  if (series.length < 2 && openLabel === undefined) return null
  return (
    <figcaption className="text-muted-foreground flex flex-wrap gap-x-4 gap-y-1 text-xs">
      {series.length > 1 &&
        series.map((one) => (
          <span key={one.id} className="flex items-center gap-1.5">
            <SeriesMark {...one} />
            {one.label}
          </span>
        ))}
      {openLabel !== undefined && (
        <span className="flex items-center gap-1.5">
          <svg aria-hidden width={14} height={8} className="shrink-0">
            <line
              x1={1}
              x2={13}
              y1={4}
              y2={4}
              stroke="currentColor"
              strokeWidth={2}
              strokeDasharray="1 3"
              strokeLinecap="round"
            />
          </svg>
          {openLabel}
        </span>
      )}
    </figcaption>
  )
}
