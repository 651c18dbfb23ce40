import type { Series } from './series.ts'

/** Steps of every axis: two axes share the lines of the grid. */
export const STEPS = 4
const TOP = 10
const BOTTOM = 26
/** Room for the labels of one axis, in pixels. */
const AXIS_WIDTH = 48
const EDGE = 12

export type Axis = {
  readonly unit: string
  readonly max: number
  /** From zero, in steps. */
  readonly ticks: readonly number[]
}

export type Plot = {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  /** The first is drawn on the left, the second on the right. */
  readonly axes: readonly Axis[]
  /** Pixels from the left of the plot. */
  readonly x: (index: number) => number
  /** Pixels from the top of the plot. */
  readonly y: (value: number, unit: string) => number
}

/** Returns where the values of a chart are drawn in a box of this size. */
export function plotOf(
  series: readonly Series[],
  length: number,
  box: { readonly width: number; readonly height: number },
): Plot {
  const axes = axesOf(series)
  const right = axes.length > 1 ? AXIS_WIDTH : EDGE
  const width = Math.max(1, box.width - AXIS_WIDTH - right)
  const height = box.height - TOP - BOTTOM
  return {
    left: AXIS_WIDTH,
    top: TOP,
    width,
    height,
    axes,
    x: (index) => (length < 2 ? width / 2 : (index / (length - 1)) * width),
    y: (value, unit) => height * (1 - value / (axes.find((axis) => axis.unit === unit)?.max ?? 1)),
  }
}

function axesOf(series: readonly Series[]): readonly Axis[] {
  return [...new Set(series.map(({ unit }) => unit))].map((unit) => {
    const own = series.filter((one) => one.unit === unit)
    const highest = Math.max(0, ...own.flatMap(({ values }) => values.map((value) => value ?? 0)))
    const step = niceStep(
      highest / STEPS,
      own.some(({ whole }) => whole === true),
    )
    return { unit, max: step * STEPS, ticks: Array.from({ length: STEPS + 1 }, (_, i) => i * step) }
  })
}

/** The next larger round number: 1, 2, 2.5 or 5 with zeros. */
function niceStep(least: number, whole: boolean): number {
  if (least === 0) return 1
  const power = 10 ** Math.floor(Math.log10(least))
  const step = ([1, 2, 2.5, 5, 10].find((one) => one * power >= least * 0.999_999) ?? 10) * power
  return whole ? Math.ceil(step) : step
}
