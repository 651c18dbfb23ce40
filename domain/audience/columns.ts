import { meaningOf, type DeviceType, type NameMeaning } from './column-names.ts'
import { readIdentifier, type ColumnKind } from './identifiers.ts'
import { formOf, type Numbering, type PhoneReading } from './phone.ts'

/** Description of a file by its first rows. */
export type Recognised = {
  /** Position of the column with the identifiers, from 0; null when no column qualifies. */
  readonly column: number | null
  /** The column that comes closest; null for a file without cells. */
  readonly likeliest: number | null
  /** Other columns that are as likely. */
  readonly asLikely: readonly number[]
  /** Kind of the sampled cells of the likeliest column. */
  readonly kind: ColumnKind
  /** Type of device that the name of the column says. */
  readonly device: DeviceType | null
  /** Columns in which most phone numbers are in the national form of the country. */
  readonly national: readonly number[]
  /** Whether the first row names the columns. */
  readonly header: boolean
}

export type RecogniseSettings = {
  readonly numbering: Numbering
  readonly country: string | null
  /** Only columns of this kind; null for any. */
  readonly kind: ColumnKind | null
}

/** Rows that decide. */
export const SAMPLE_ROWS = 50
/** Columns that are compared. */
const MOST_COMPARED = 200
/** Part of the cells that must be identifiers in a column whose name does not say so. */
const ENOUGH = 0.9

/** Longest cell that is read as a number, characters. */
const LONGEST = 200

type Column = {
  readonly at: number
  readonly meaning: NameMeaning
  readonly devices: number
  readonly phones: number
  /** Part of the cells with text that are identifiers, from 0 to 1. */
  readonly share: number
  readonly distinct: number
  /** Cells with text. */
  readonly filled: number
  readonly hashes: number
  /** Cells that are only a number in the national form, less those that are only a full one. */
  readonly national: number
}

/**
 * Recognises the column of the identifiers in the first rows of a file. A column qualifies by a name that says so, when it holds any, or
 * when nine of ten of its cells are identifiers and its name says nothing else. Numbers count in any form here: the rows say later why they
 * are rejected.
 */
export function recognise(rows: readonly (readonly string[])[], { numbering, country, kind }: RecogniseSettings): Recognised {
  const reading: PhoneReading = { numbering, country, anyForm: true }
  const [first = [], ...others] = rows.slice(0, SAMPLE_ROWS)
  const looksLike = (cell: string) =>
    readIdentifier(cell, 'any', reading).kind !== 'rejected' || /^\s*[+\d][\d\s().-]{4,}$/.test(cell.slice(0, LONGEST))
  const named = first.some((cell) => isKind(meaningOf(cell)))
  const header = !first.some(looksLike) && (named || others.some((row) => row.some(looksLike)))
  const sample = header ? others : [first, ...others]
  const width = Math.min(
    MOST_COMPARED,
    sample.reduce((most, row) => Math.max(most, row.length), first.length),
  )
  const columns = Array.from({ length: width }, (_, at) =>
    columnOf(at, header ? (first[at] ?? '') : '', sample, kind ?? 'any', reading),
  )
  const fitting = columns.filter(qualifies).toSorted(likelierFirst)
  const [best] = fitting
  const likeliest = best ?? columns.toSorted(closestFirst)[0]
  return {
    column: best?.at ?? null,
    likeliest: likeliest?.at ?? null,
    asLikely:
      best === undefined
        ? []
        : fitting
            .slice(1)
            .filter((other) => isAsLikely(best, other))
            .map(({ at }) => at),
    kind: likeliest === undefined ? 'any' : kindOf(likeliest),
    device: likeliest?.meaning.device ?? null,
    national: columns.filter(({ national }) => national > 0).map(({ at }) => at),
    header,
  }
}

function columnOf(
  at: number,
  name: string,
  sample: readonly (readonly string[])[],
  as: ColumnKind,
  reading: PhoneReading,
): Column {
  const cells = sample.map((row) => row[at] ?? '').filter((cell) => cell !== '')
  const read = cells.map((cell) => readIdentifier(cell, as, reading))
  const values = read.flatMap((one) => (one.kind === 'rejected' ? [] : [one]))
  const devices = values.filter((one) => one.kind === 'device').length
  return {
    at,
    meaning: meaningOf(name),
    devices,
    phones: values.length - devices,
    filled: cells.length,
    share: cells.length === 0 ? 0 : values.length / cells.length,
    distinct: new Set(values.map(({ value }) => value)).size,
    hashes: read.filter((one) => one.kind === 'rejected' && one.reason === 'hashed').length,
    national: reading.country === null ? 0 : cells.reduce((sum, cell) => sum + FORMS[formOf(cell, reading) ?? 'none'], 0),
  }
}

const FORMS = { national: 1, full: -1, none: 0 } as const

const isKind = ({ kind }: NameMeaning): boolean => kind === 'device' || kind === 'phone'

/** A column that is named and empty so far may hold them further down: sorted lists begin with what has none. */
const qualifies = ({ meaning, share, filled }: Column): boolean =>
  (share > 0 || (filled === 0 && isKind(meaning))) && (isKind(meaning) || (meaning.kind !== 'other' && share >= ENOUGH))

const isFull = ({ share }: Column): number => Number(share >= ENOUGH)

/** How much a name speaks for a column. */
const NAMED: Readonly<Record<NameMeaning['kind'], number>> = { device: 2, phone: 2, number: 1, none: 0, other: -1 }

/** By name, then by how many cells are identifiers, then by distinct ones. */
const likelierFirst = (a: Column, b: Column): number => byName(a, b) || byCells(a, b) || a.at - b.at
/** Orders columns that do not qualify. Hashes come closer than nothing. */
const closestFirst = (a: Column, b: Column): number => byCells(a, b) || b.hashes - a.hashes || byName(a, b) || a.at - b.at

const byName = (a: Column, b: Column): number => NAMED[b.meaning.kind] - NAMED[a.meaning.kind]
const byCells = (a: Column, b: Column): number =>
  isFull(b) - isFull(a) || (isFull(a) === 1 ? 0 : b.share - a.share) || b.distinct - a.distinct

const isAsLikely = (best: Column, other: Column): boolean =>
  NAMED[best.meaning.kind] === NAMED[other.meaning.kind] &&
  isFull(best) === isFull(other) &&
  other.distinct >= ENOUGH * best.distinct

function kindOf({ devices, phones, meaning }: Column): ColumnKind {
  if (devices > 0) return phones > 0 ? 'any' : 'device'
  if (phones > 0) return 'phone'
  return meaning.kind === 'device' || meaning.kind === 'phone' ? meaning.kind : 'any'
}
