import type { Plot } from './chart-geometry.ts'
import { SeriesMark } from './chart-legend.tsx'
import type { ChartPoint, Series } from './series.ts'

const GAP = 12

type ChartTooltipProps = {
  readonly plot: Plot
  readonly point: ChartPoint
  readonly index: number
  readonly series: readonly Series[]
  /** Width of the whole chart, in pixels. */
  readonly width: number
}

/** The values of one point, beside it: on its right in the left half of the chart, else on its left. */
export function ChartTooltip({ plot, point, index, series, width }: ChartTooltipProps) {
  const x = plot.left + plot.x(index)
  const side = x > width / 2 ? { right: width - x + GAP } : { left: x + GAP }
  return (
    <div
      aria-hidden
      data-slot="chart-tooltip"
      className="bg-popover border-border pointer-events-none absolute top-0 z-10 flex max-w-[60%] min-w-40 flex-col gap-1 rounded-lg border px-3 py-2 text-xs shadow-lg"
      style={side}
    >
      <span className="text-muted-foreground">{point.label}</span>
      {series.map((one) => (
        <span key={one.id} className="flex items-center gap-1.5">
          <SeriesMark {...one} />
          <span className="grow pr-3">
            {one.label}
            {one.dashed === true && point.before !== undefined && (
              <span className="text-muted-foreground block">{point.before}</span>
            )}
          </span>
          <span className="font-medium whitespace-nowrap tabular-nums">{textOf(one, index)}</span>
        </span>
      ))}
    </div>
  )
}

/** The value of a series at a point, as text. */
export function textOf({ values, format }: Series, index: number): string {
  const value = values[index] ?? null
  return value === null ? '–' : format(value)
}
