export type Band = 'none' | 'specific' | 'narrow' | 'good' | 'wide' | 'broad'

/** Returns the band of an estimate, from too few to too many people (campaigns.md §4, "Audience-size gauge"). */
export function bandOf(people: number): Band {
  if (people <= 0) return 'none'
  if (people <= 10_000) return 'specific'
  if (people < 50_000) return 'narrow'
  if (people <= 100_000) return 'good'
  return people < 250_000 ? 'wide' : 'broad'
}

export type Colour = 'none' | 'red' | 'yellow' | 'green'
const COLOURS: Readonly<Record<Band, Colour>> = {
  none: 'none',
  specific: 'red',
  narrow: 'yellow',
  good: 'green',
  wide: 'yellow',
  broad: 'red',
}
export const colourOf = (band: Band): Colour => COLOURS[band]

/** The five stretches of the scale with their bounds, each a fifth of its length. */
export const STRETCHES = [
  { band: 'specific', from: 0, to: 10_000 },
  { band: 'narrow', from: 10_000, to: 50_000 },
  { band: 'good', from: 50_000, to: 100_000 },
  { band: 'wide', from: 100_000, to: 250_000 },
  { band: 'broad', from: 250_000, to: 1_000_000 },
] as const satisfies readonly { readonly band: Band; readonly from: number; readonly to: number }[]

/** Returns the position of an estimate on the scale, 0 to 1. */
export function positionOf(people: number): number {
  const index = STRETCHES.findIndex(({ to }) => people <= to)
  const stretch = STRETCHES[index]
  if (stretch === undefined) return 1
  return (index + (people - stretch.from) / (stretch.to - stretch.from)) / STRETCHES.length
}
