import { DIMENSIONS, MEASURES, type Dimension } from '#domain/delivery/batch'

/** Sums of every row and rollup; a zero is stored as null. */
export const SUMS = [...MEASURES, 'spent', 'overdelivered'] as const

export type NamedDimension = Exclude<Dimension, 'device_type_key'>
/** Dimensions whose texts are numbers in the rows. */
export const NAMED = DIMENSIONS.filter((name): name is NamedDimension => name !== 'device_type_key')

/** The number of a grouping in `facts.day_groups`, from one on, and its bit in `facts.day_totals.wide`. Numbers stay as they are. */
export const groupingNumber = (dimension: Dimension): number => DIMENSIONS.indexOf(dimension) + 1
export const groupingBit = (dimension: Dimension): number => 1 << DIMENSIONS.indexOf(dimension)

/** The columns of `facts.rows`, in the order in which they are copied. */
export const ROW_COLUMNS = ['hour', 'owner', ...NAMED, 'device_type_key', ...SUMS] as const
