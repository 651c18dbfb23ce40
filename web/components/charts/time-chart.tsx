import { scaleLinear, scalePoint } from 'd3-scale'
import { area, line } from 'd3-shape'
import { useId, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { formatPlainDay, formatShortDay } from '@/i18n/format'
import { useLanguage } from '@/i18n/use-language'
import { chartColour, formatTick, type Series } from './series.ts'
import { useWidth } from './use-width.ts'

type TimeChartProps = {
  /** Names the chart for screen readers. */
  readonly title: string
  /** Series over the same days, in order. */
  readonly series: readonly Series[]
  readonly height?: number
  /** Fills the area below a single line. */
  readonly filled?: boolean
  /** Read out after the title, such as where the figures are as text. */
  readonly description?: string
  /** Heading of the days in the table. */
  readonly dayLabel: string
  /** Id of a visible table with the same figures. Without it the chart adds a table for screen readers only. */
  readonly tableId?: string
}

/** The chart element itself has the slider role: an input cannot contain it. */
const SLIDER = { role: 'slider', tabIndex: 0 } as const
const MARGIN = { top: 8, right: 12, bottom: 24, left: 52 } as const
const TICKS = 4
/** Width of one time axis label, in pixels. */
const LABEL_WIDTH = 72
const TOOLTIP_WIDTH = 184

/**
 * Line chart over days. The pointer or the arrow keys select a day, and a tooltip shows its values. Screen readers get the day as
 * a slider value and all figures as a table.
 */
export function TimeChart({ title, description, series, height = 240, filled = false, dayLabel, tableId }: TimeChartProps) {
  const language = useLanguage()
  const id = useId()
  const { box, width } = useWidth<HTMLDivElement>()
  const [chosen, setChosen] = useState<number | null>(null)
  const days = series[0]?.points.map(({ day }) => day) ?? []
  const last = days.length - 1
  const inner = { width: Math.max(1, width - MARGIN.left - MARGIN.right), height: height - MARGIN.top - MARGIN.bottom }
  const values = series.flatMap(({ points }) => points.map(({ value }) => value))
  const x = scalePoint([...days], [0, inner.width])
  const y = scaleLinear([Math.min(0, ...values), Math.max(0, ...values) || 1], [inner.height, 0]).nice(TICKS)
  const at = (day: string) => x(day) ?? 0
  const path = line<Series['points'][number]>(
    ({ day }) => at(day),
    ({ value }) => y(value),
  )
  const fill = area<Series['points'][number]>(
    ({ day }) => at(day),
    y(0),
    ({ value }) => y(value),
  )
  const every = Math.max(1, Math.ceil((days.length * LABEL_WIDTH) / inner.width))
  const day = chosen === null ? undefined : days[chosen]
  const textOf = (index: number) =>
    `${formatPlainDay(days[index] ?? '')}: ${series.map(({ label, points, format }) => `${label} ${format(points[index]?.value ?? 0)}`).join(', ')}`

  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const from = clientX - currentTarget.getBoundingClientRect().left - MARGIN.left
    setChosen(Math.max(0, Math.min(last, Math.round((from / inner.width) * last))))
  }
  const press = (event: KeyboardEvent) => {
    const step = KEYS[event.key]
    if (step === undefined) return
    event.preventDefault()
    setChosen(step(chosen ?? last, last))
  }
  const handlers = {
    onPointerMove: point,
    onPointerLeave: () => setChosen(null),
    onFocus: () => setChosen((before) => before ?? last),
    onBlur: () => setChosen(null),
    onKeyDown: press,
  }
  if (days.length === 0) return null
  return (
    <figure aria-label={title} aria-details={tableId} data-slot="time-chart" className="flex flex-col gap-2">
      {series.length > 1 && (
        <figcaption className="text-xs text-muted-foreground flex flex-wrap gap-x-4 pl-3">
          {series.map(({ id, label }, index) => (
            <span key={id} className="flex items-center gap-1.5">
              <span aria-hidden className="size-2.5 rounded-[3px]" style={{ background: chartColour(index) }} />
              {label}
            </span>
          ))}
        </figcaption>
      )}
      <div
        ref={box}
        {...SLIDER}
        aria-label={title}
        aria-describedby={description === undefined ? undefined : `${id}-description`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={chosen ?? last}
        aria-valuetext={textOf(chosen ?? last)}
        {...handlers}
        className="relative touch-pan-y rounded-[6px]"
        style={{ height }}
      >
        <svg aria-hidden width="100%" height={height} className="text-xs block overflow-visible tabular-nums">
          <clipPath id={`${id}-clip`}>
            <rect width={inner.width} height={inner.height + 2} y={-1} />
          </clipPath>
          <g transform={`translate(${MARGIN.left} ${MARGIN.top})`}>
            {y.ticks(TICKS).map((tick) => (
              <g key={tick} transform={`translate(0 ${y(tick)})`}>
                <line x2={inner.width} className="stroke-border" />
                <text x={-10} dy="0.32em" textAnchor="end" className="fill-muted-foreground">
                  {formatTick(tick, language)}
                </text>
              </g>
            ))}
            {days.map(
              (one, index) =>
                (last - index) % every === 0 && (
                  <text
                    key={one}
                    x={at(one)}
                    y={inner.height + 18}
                    textAnchor={index === 0 && last > 0 ? 'start' : index === last && last > 0 ? 'end' : 'middle'}
                    className="fill-muted-foreground"
                  >
                    {formatShortDay(`${one}T00:00:00`)}
                  </text>
                ),
            )}
            <g clipPath={`url(#${id}-clip)`}>
              {series.map(({ id, points }, index) => (
                <g key={id} data-series={id}>
                  {filled && series.length === 1 && <path d={fill(points) ?? ''} fill={chartColour(index)} opacity={0.12} />}
                  <path
                    d={path(points) ?? ''}
                    fill="none"
                    stroke={chartColour(index)}
                    strokeWidth={2}
                    strokeLinejoin="round"
                    strokeLinecap="round"
                  />
                </g>
              ))}
            </g>
            {(day !== undefined || days.length === 1) && (
              <g transform={`translate(${at(day ?? days[0] ?? '')} 0)`}>
                {day !== undefined && <line y2={inner.height} className="stroke-input" strokeDasharray="3 3" />}
                {series.map(({ id, points }, index) => (
                  <circle
                    key={id}
                    cy={y(points[chosen ?? 0]?.value ?? 0)}
                    r={4}
                    fill={chartColour(index)}
                    className="stroke-card"
                    strokeWidth={2}
                  />
                ))}
              </g>
            )}
          </g>
        </svg>
        {day !== undefined && chosen !== null && (
          <div
            aria-hidden
            data-slot="chart-tooltip"
            className="bg-popover border-border shadow-lg text-xs pointer-events-none absolute top-0 z-10 flex flex-col gap-1 rounded-lg border px-3 py-2 motion-safe:transition-[left]"
            style={{
              width: TOOLTIP_WIDTH,
              left: Math.max(
                0,
                Math.min(width - TOOLTIP_WIDTH, MARGIN.left + at(day) + (at(day) > inner.width / 2 ? -TOOLTIP_WIDTH - 12 : 12)),
              ),
            }}
          >
            <span className="text-muted-foreground">{formatPlainDay(day)}</span>
            {series.map(({ id, label, points, format }, index) => (
              <span key={id} className="flex items-center gap-1.5">
                <span className="size-2.5 rounded-[3px]" style={{ background: chartColour(index) }} />
                <span className="grow">{label}</span>
                <span className="font-medium tabular-nums">{format(points[chosen]?.value ?? 0)}</span>
              </span>
            ))}
          </div>
        )}
      </div>
      {description !== undefined && (
        <p id={`${id}-description`} className="sr-only">
          {description}
        </p>
      )}
      {tableId === undefined && (
        <div className="sr-only">
          <table>
            <caption>{title}</caption>
            <thead>
              <tr>
                <th scope="col">{dayLabel}</th>
                {series.map(({ id, label }) => (
                  <th key={id} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days.map((one, index) => (
                <tr key={one}>
                  <th scope="row">{formatPlainDay(one)}</th>
                  {series.map(({ id, points, format }) => (
                    <td key={id}>{format(points[index]?.value ?? 0)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
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
