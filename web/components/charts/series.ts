/** A moment of the time axis. */
export type ChartPoint = {
  readonly key: string
  /** Full name, for the tooltip, the table and screen readers. */
  readonly label: string
  /** Short name on the axis; points without one are not named there. */
  readonly tick?: string | undefined
  /** True for a last point that is not over: the line to it is dotted. */
  readonly open?: boolean
  /** Name of the point that dashed series show here. */
  readonly before?: string | undefined
}

export type Series = {
  readonly id: string
  readonly label: string
  /** One value for each point; null where there is none. */
  readonly values: readonly (number | null)[]
  /** Formats a value for the tooltip and the table. */
  readonly format: (value: number) => string
  /** Series of one unit share an axis. A chart has at most two units. */
  readonly unit: string
  /** Adds the sign of the unit to a number of the axis, such as %. */
  readonly sign?: (number: string) => string
  /** Units without fractions: the axis has whole numbers. */
  readonly whole?: boolean
  /** Index of the theme's chart colours. */
  readonly colour: number
  /** For what is compared with, such as the previous period. */
  readonly dashed?: boolean
}

/** Theme colours, in the order in which series use them. */
const COLOURS = ['var(--chart-1)', 'var(--chart-2)', 'var(--chart-3)', 'var(--chart-4)', 'var(--chart-5)'] as const
export const chartColour = (index: number): string => COLOURS[index % COLOURS.length] ?? COLOURS[0]

/** Short numbers for an axis: 1.2K, 3M. */
export const formatTick = (value: number, language: string): string =>
  Math.abs(value) < 1000
    ? new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(value)
    : new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }).format(value)
