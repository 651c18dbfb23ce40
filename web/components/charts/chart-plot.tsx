import { area, line } from 'd3-shape'
import { useId } from 'react'
import type { Plot } from './chart-geometry.ts'
import { chartColour, type ChartPoint, type Series } from './series.ts'

/** Least width of one time axis label, in pixels. */
const LABEL_WIDTH = 72

type ChartPlotProps = {
  readonly plot: Plot
  readonly points: readonly ChartPoint[]
  readonly series: readonly Series[]
  readonly height: number
  /** The selected point. */
  readonly chosen: number | null
  readonly filled: boolean
}

/** The drawing of a chart: grid, axes and lines. Screen readers get the figures as text elsewhere. */
export function ChartPlot({ plot, points, series, height, chosen, filled }: ChartPlotProps) {
  const clip = useId()
  const single = points.length === 1
  const dots = chosen ?? (single ? 0 : null)
  return (
    <svg aria-hidden width="100%" height={height} className="block overflow-visible text-xs tabular-nums">
      <clipPath id={clip}>
        <rect width={plot.width + 4} height={plot.height + 4} x={-2} y={-2} />
      </clipPath>
      <g transform={`translate(${plot.left} ${plot.top})`}>
        <ValueAxes plot={plot} />
        <TimeLabels plot={plot} points={points} />
        {chosen !== null && (
          <line x1={plot.x(chosen)} x2={plot.x(chosen)} y2={plot.height} className="stroke-input" strokeDasharray="3 3" />
        )}
        <g clipPath={`url(#${clip})`}>
          {series.toReversed().map((one) => (
            <Line
              key={one.id}
              plot={plot}
              series={one}
              filled={filled && series.length === 1}
              open={points.at(-1)?.open === true}
            />
          ))}
        </g>
        {dots !== null && (
          <g>
            {series.map(({ id, values, unit, colour }) => {
              const value = values[dots] ?? null
              return (
                value !== null && (
                  <circle
                    key={id}
                    cx={plot.x(dots)}
                    cy={plot.y(value, unit)}
                    r={4}
                    fill={chartColour(colour)}
                    className="stroke-card"
                    strokeWidth={2}
                  />
                )
              )
            })}
          </g>
        )}
      </g>
    </svg>
  )
}

function ValueAxes({ plot }: { readonly plot: Plot }) {
  return plot.axes.map((axis, side) =>
    axis.ticks.map(({ value: tick, label }) => (
      <g key={`${axis.unit} ${tick}`} transform={`translate(0 ${plot.y(tick, axis.unit)})`}>
        {side === 0 && <line x2={plot.width} className={tick === 0 ? 'stroke-input' : 'stroke-border'} />}
        <text
          x={side === 0 ? -10 : plot.width + 10}
          dy="0.32em"
          textAnchor={side === 0 ? 'end' : 'start'}
          className="fill-muted-foreground"
        >
          {label}
        </text>
      </g>
    )),
  )
}

function TimeLabels({ plot, points }: Pick<ChartPlotProps, 'plot' | 'points'>) {
  const last = points.length - 1
  const named = points.flatMap(({ key, tick }, index) => (tick === undefined ? [] : [{ key, tick, index }]))
  const gap = ((named.at(-1)?.index ?? 0) - (named[0]?.index ?? 0)) / Math.max(1, named.length - 1)
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / Math.max(0.01, (gap / Math.max(1, last)) * plot.width)))
  return named
    .filter((_, nth) => (named.length - 1 - nth) % every === 0)
    .map(({ key, tick, index }) => {
      const x = plot.x(index)
      const atEdge = x < LABEL_WIDTH / 2 ? 'start' : plot.width - x < LABEL_WIDTH / 2 ? 'end' : 'middle'
      return (
        <text key={key} x={x} y={plot.height + 18} textAnchor={last === 0 ? 'middle' : atEdge} className="fill-muted-foreground">
          {tick}
        </text>
      )
    })
}

type LineProps = { readonly plot: Plot; readonly series: Series; readonly filled: boolean; readonly open: boolean }

function Line({ plot, series, filled, open }: LineProps) {
  const { id, values, unit, colour, dashed = false } = series
  // The compared period is over.
  const partly = open && !dashed && values.length > 1
  const stroke = { fill: 'none', stroke: chartColour(colour), strokeLinejoin: 'round', strokeLinecap: 'round' } as const
  const path = line<number | null>(
    (_, index) => plot.x(index),
    (value) => plot.y(value ?? 0, unit),
  ).defined((value) => value !== null)
  const fill = area<number | null>(
    (_, index) => plot.x(index),
    plot.height,
    (value) => plot.y(value ?? 0, unit),
  ).defined((value) => value !== null)
  return (
    <g data-series={id}>
      {filled && <path d={fill(values) ?? ''} fill={chartColour(colour)} opacity={0.12} />}
      <path
        {...stroke}
        d={path(partly ? values.slice(0, -1) : values) ?? ''}
        strokeWidth={dashed ? 1.5 : 2}
        strokeDasharray={dashed ? '4 4' : undefined}
        opacity={dashed ? 0.75 : 1}
      />
      {partly && (
        <path
          {...stroke}
          d={path(values.map((value, index) => (index < values.length - 2 ? null : value))) ?? ''}
          strokeWidth={2}
          strokeDasharray="0.1 5"
        />
      )}
    </g>
  )
}
