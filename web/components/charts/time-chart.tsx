import { useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { useLanguage } from '@/i18n/use-language'
import { plotOf, type Plot } from './chart-geometry.ts'
import { ChartLegend } from './chart-legend.tsx'
import { ChartPlot } from './chart-plot.tsx'
import { ChartTable } from './chart-table.tsx'
import { ChartTooltip, textOf } from './chart-tooltip.tsx'
import type { ChartPoint, Series } from './series.ts'
import { useWidth } from './use-width.ts'

type TimeChartProps = {
  /** Names the chart for screen readers. */
  readonly title: string
  /** In order of time. */
  readonly points: readonly ChartPoint[]
  /** Series over these points, of at most two units. */
  readonly series: readonly Series[]
  /** Heading of the points in the table. */
  readonly pointLabel: string
  readonly height?: number
  /** Meaning of the dotted end of a line: the last point is not over. */
  readonly openLabel?: string
  /** Fills the area below a single line. */
  readonly filled?: boolean
  /** Controls above the time axis, such as markers: they get the geometry of the chart. */
  readonly renderOverlay?: (plot: Plot) => ReactNode
}

/** The chart element itself has the slider role: an input cannot contain it. */
const SLIDER = { role: 'slider', tabIndex: 0 } as const

/**
 * Line chart over time. The pointer or the arrow keys select a point, and a tooltip shows its values. Screen readers get the point as
 * a slider value, which they read out on each step, and all figures as a table.
 */
export function TimeChart(props: TimeChartProps) {
  const { title, points, series, height = 240, filled = false, pointLabel, renderOverlay } = props
  const { box, width } = useWidth<HTMLDivElement>()
  const [selected, setSelected] = useState<number | null>(null)
  const last = points.length - 1
  const chosen = selected === null ? null : Math.min(selected, last)
  const current = chosen ?? last
  const plot = plotOf(series, points.length, { width, height }, useLanguage())
  const point = chosen === null ? undefined : points[chosen]
  const select = ({ clientX, currentTarget }: PointerEvent) => {
    const from = clientX - currentTarget.getBoundingClientRect().left - plot.left
    setSelected(Math.max(0, Math.min(last, Math.round((from / plot.width) * last))))
  }
  const press = (event: KeyboardEvent) => {
    const step = KEYS[event.key]
    if (step === undefined) return
    event.preventDefault()
    setSelected(step(current, last))
  }
  const handlers = {
    onPointerMove: select,
    onPointerDown: select,
    onPointerLeave: () => setSelected(null),
    onFocus: () => setSelected((before) => before ?? last),
    onBlur: () => setSelected(null),
    onKeyDown: press,
  }
  if (last < 0 || series.length === 0) return null
  return (
    <figure aria-label={title} data-slot="time-chart" className="flex flex-col gap-2">
      <ChartLegend series={series} openLabel={points[last]?.open === true ? props.openLabel : undefined} />
      <div className="relative">
        <div
          ref={box}
          {...SLIDER}
          aria-label={title}
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={current}
          aria-valuetext={`${points[current]?.label ?? ''}: ${series.map((one) => `${one.label} ${textOf(one, current)}`).join(', ')}`}
          {...handlers}
          className="relative touch-pan-y rounded-[6px]"
          style={{ height }}
        >
          <ChartPlot plot={plot} points={points} series={series} height={height} chosen={chosen} filled={filled} />
          {point !== undefined && chosen !== null && (
            <ChartTooltip plot={plot} point={point} index={chosen} series={series} width={width} />
          )}
        </div>
        {renderOverlay?.(plot)}
      </div>
      <div className="sr-only">
        <ChartTable title={title} pointLabel={pointLabel} points={points} series={series} />
      </div>
    </figure>
  )
}

const WEEK = 7
const KEYS: Readonly<Record<string, (from: number, last: number) => number>> = {
  ArrowLeft: (from) => Math.max(0, from - 1),
  ArrowDown: (from) => Math.max(0, from - 1),
  ArrowRight: (from, last) => Math.min(last, from + 1),
  ArrowUp: (from, last) => Math.min(last, from + 1),
  PageDown: (from) => Math.max(0, from - WEEK),
  PageUp: (from, last) => Math.min(last, from + WEEK),
  Home: () => 0,
  End: (_, last) => last,
}
