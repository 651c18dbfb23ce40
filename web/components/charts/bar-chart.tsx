import { scaleLinear } from 'd3-scale'
import { chartColour } from './series.ts'

type Bar = { readonly id: string; readonly label: string; readonly value: number }

type BarChartProps = {
  /** Names the list of bars for screen readers. */
  readonly title: string
  readonly bars: readonly Bar[]
  readonly format: (value: number) => string
  readonly colour?: number
}

/** Horizontal bars with labels and values as text. No separate table is needed. */
export function BarChart({ title, bars, format, colour = 0 }: BarChartProps) {
  const percent = scaleLinear([0, Math.max(0, ...bars.map(({ value }) => value)) || 1], [0, 100]).clamp(true)
  return (
    <ul aria-label={title} data-slot="bar-chart" className="text-[0.8125rem]/4.5 flex flex-col gap-2.5">
      {bars.map(({ id, label, value }) => (
        <li key={id} className="flex flex-col gap-1">
          <span className="flex justify-between gap-4">
            <span className="min-w-0 [overflow-wrap:anywhere]">{label}</span>
            <span className="font-medium tabular-nums">{format(value)}</span>
          </span>
          <span aria-hidden className="bg-muted h-2 overflow-hidden rounded-full">
            <span
              data-slot="bar"
              className="block h-full rounded-full motion-safe:transition-[width]"
              style={{ width: `${percent(value)}%`, background: chartColour(colour) }}
            />
          </span>
        </li>
      ))}
    </ul>
  )
}
