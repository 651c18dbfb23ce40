import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { chartColour } from './series.ts'

type SparklineProps = {
  /** Text alternative for screen readers. */
  readonly label: string
  readonly values: readonly number[]
  readonly width?: number
  readonly height?: number
  /** Index of the theme's chart colours. */
  readonly colour?: number
}

/** A small line chart without axes. */
export function Sparkline({ label, values, width = 96, height = 24, colour = 0 }: SparklineProps) {
  const x = scaleLinear([0, Math.max(1, values.length - 1)], [1.5, width - 1.5])
  const y = scaleLinear([Math.min(0, ...values), Math.max(0, ...values) || 1], [height - 1.5, 1.5])
  const path = line<number>(
    (_, index) => x(index),
    (value) => y(value),
  )
  return (
    <svg role="img" aria-label={label} data-slot="sparkline" width={width} height={height} className="block">
      <path
        d={path(values) ?? ''}
        fill="none"
        stroke={chartColour(colour)}
        strokeWidth={1.5}
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}
