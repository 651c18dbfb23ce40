import { formatTick, type Series } from './series.ts'

/** Steps of every axis: two axes share the lines of the grid. */
const STEPS = 4
const TOP = 10
const BOTTOM = 26
/** Room for a label of an axis: for each character, and beside it. In pixels. */
const CHARACTER_WIDTH = 6.8
const LABEL_GAP = 14
const EDGE = 12

export type Axis = {
  readonly unit: string
  readonly max: number
  /** From zero, in steps, with their labels. */
  readonly ticks: readonly { readonly value: number; readonly label: string }[]
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

type Size = { readonly width: number; readonly height: number }

/** Returns where the values of a chart are drawn in a box of this size. */
export function plotOf(series: readonly Series[], length: number, box: Size, language: string): Plot {
  const axes = axesOf(series, language)
  const left = widthOf(axes[0])
  const right = axes.length > 1 ? widthOf(axes[1]) : EDGE
  const width = Math.max(1, box.width - left - right)
  const height = box.height - TOP - BOTTOM
  return {
    left,
    top: TOP,
    width,
    height,
    axes,
    x: (index) => (length < 2 ? width / 2 : (index / (length - 1)) * width),
    y: (value, unit) => height * (1 - value / (axes.find((axis) => axis.unit === unit)?.max ?? 1)),
  }
}

const widthOf = (axis: Axis | undefined): number =>
  LABEL_GAP + CHARACTER_WIDTH * Math.max(2, ...(axis?.ticks ?? []).map(({ label }) => label.length))

function axesOf(series: readonly Series[], language: string): readonly Axis[] {
  return [...new Set(series.map(({ unit }) => unit))].map((unit) => {
    const own = series.filter((one) => one.unit === unit)
    const highest = Math.max(0, ...own.flatMap(({ values }) => values.map((value) => value ?? 0)))
    const step = niceStep(
      highest / STEPS,
      own.some(({ whole }) => whole === true),
    )
    const sign = own[0]?.sign ?? ((number: string) => number)
    const ticks = Array.from({ length: STEPS + 1 }, (_, i) => ({ value: i * step, label: sign(formatTick(i * step, language)) }))
    return { unit, max: step * STEPS, ticks }
  })
}

/** The next larger round number: 1, 2, 2.5 or 5 with zeros. */
function niceStep(least: number, whole: boolean): number {
  if (least === 0) return 1
  const power = 10 ** Math.floor(Math.log10(least))
  const step = ([1, 2, 2.5, 5, 10].find((one) => one * power >= least * 0.999_999) ?? 10) * power
  return whole ? Math.ceil(step) : step
}
