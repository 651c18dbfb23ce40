import { formatCount } from '@/i18n/format'

export type Point = {
  /** Calendar day, YYYY-MM-DD. */
  readonly day: string
  readonly value: number
}

export type Series = {
  readonly id: string
  readonly label: string
  readonly points: readonly Point[]
  /** Formats a value for the axis, the tooltip and the table. */
  readonly format: (value: number) => string
}

/** Theme colours, in the order in which series use them. */
const COLOURS = ['var(--chart-1)', 'var(--chart-2)', 'var(--chart-3)', 'var(--chart-4)', 'var(--chart-5)'] as const
export const chartColour = (index: number): string => COLOURS[index % COLOURS.length] ?? COLOURS[0]

/** Short numbers for an axis: 1.2K, 3M. */
export const formatTick = (value: number, language: string): string =>
  Math.abs(value) < 1000
    ? new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(value)
    : new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }).format(value)

export const countSeries = (id: string, label: string, points: readonly Point[]): Series => ({
  id,
  label,
  points,
  format: formatCount,
})
