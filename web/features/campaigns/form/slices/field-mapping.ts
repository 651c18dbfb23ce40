import { answered } from '#contract/fields'
import { z } from '#contract/zod'
import { MONEY_KEYS } from '#domain/campaign/content/content'
import type { Field, Fields } from '#domain/kit/fields'
import { fromMicros } from '#domain/kit/money'
import { readDecimal } from '@/i18n/decimal'

/**
 * The form's part of a record of fields, derived from the field table of the domain: schema, initial values, and the mapping from
 * and to the wire. A slice names only what the form shows in another way.
 */

type Plain<T> = T extends readonly (infer U)[] ? Plain<U>[] : T extends object ? { -readonly [K in keyof T]: Plain<T[K]> } : T
type Camel<S extends string> = S extends `${infer Head}_${infer Rest}` ? `${Head}${Capitalize<Camel<Rest>>}` : S
type Flat<T> = { [K in keyof T]: T[K] }

/** Text and optional numbers are strings as typed; every other value has the form of the wire. */
type Shown<V> = [V] extends [string | null] ? string : [V] extends [number | null] ? (null extends V ? string : number) : Plain<V>

/** A value that the form holds in a form of its own. Without `show` or `send` only the schema differs. */
type Own<Stored, Value> = {
  readonly schema: z.ZodMiniType<Value, Value>
  show?(stored: Stored): Value
  send?(value: Value, stored: Stored | undefined): unknown
}
type Owns<V> = { readonly [K in keyof V]?: Own<Plain<V[K]>, unknown> }
type Names<V> = { readonly [K in keyof V]?: string }
/** A form field of several wire keys, by the name of each part. */
type Joined<V, J> = { readonly [Name in keyof J]: Readonly<Record<string, keyof V & string>> }

type NameOf<K extends string, N> = K extends keyof N ? (N[K] extends string ? N[K] : never) : Camel<K>
type ValueOf<Value, Of> = Of extends { readonly schema: z.ZodMiniType<infer Own> } ? Own : Shown<Value>
type ValuesOf<V, N, O, J extends Joined<V, J>, Without> = Flat<
  {
    -readonly [K in Exclude<keyof V & string, Without | J[keyof J][keyof J[keyof J]]> as NameOf<K, N>]: ValueOf<
      V[K],
      K extends keyof O ? O[K] : undefined
    >
  } & { -readonly [Name in keyof J]: { -readonly [Part in keyof J[Name]]: Shown<V[J[Name][Part]]> } }
>
type Sent<V, Without> = { [K in Exclude<keyof V, Without>]: Plain<V[K]> }

export type FieldMapping<Values, Input> = {
  readonly shape: { readonly [K in keyof Values]: z.ZodMiniType<Values[K], Values[K]> }
  /** A key that the record lacks has its initial value; without a record all have. */
  readonly show: (stored: object | null) => Values
  /** Every mapped key. Unchanged text is sent as stored, with all its spaces. */
  readonly send: (values: Values, stored: object | null) => Input
  /** Form fields by wire key. */
  readonly names: ReadonlyMap<string, string>
}

/** Derives the mapping of a record's fields, except those of `without`, which other parts of the form show. */
export function fieldMapping<
  V extends object,
  const N extends Names<V> = object,
  O extends Owns<V> = object,
  const J extends Joined<V, J> = object,
  const W extends keyof V & string = never,
>(
  of: Field<V | null>,
  {
    names = {} as N,
    own = {} as O,
    joined = {} as J,
    without = [],
    text = trimmed,
  }: {
    /** Form names that are not the wire key in camel case. */
    readonly names?: N
    readonly own?: O
    readonly joined?: J
    readonly without?: readonly W[]
    readonly text?: SendText
  } = {},
): FieldMapping<ValuesOf<V, N, O, J, W>, Sent<V, W>> {
  const fields = Object.entries(fieldsOf(of)).filter(([key]) => !without.some((left) => left === key))
  const codecs = new Map(
    fields.map(([key, field]) => {
      const codec: Codec = { ...codecOf(field, text), ...(own as Readonly<Record<string, object | undefined>>)[key] }
      return [
        key,
        { ...codec, initial: (MONEY_KEYS as readonly string[]).includes(key) ? inUnits(field.initial) : field.initial },
      ]
    }),
  )
  const joins: readonly (readonly [string, Readonly<Record<string, string>>])[] = Object.entries(joined)
  const parts = joins.flatMap(([name, keys]) => Object.entries(keys).map(([part, key]) => ({ name, part, key })))
  const nameOf = (key: string): string =>
    parts.find((one) => one.key === key)?.name ?? (names as Readonly<Record<string, string | undefined>>)[key] ?? camel(key)

  const shape: Record<string, z.ZodMiniType> = {}
  for (const [key, { schema }] of codecs) shape[nameOf(key)] = schema
  for (const [name, keys] of joins)
    shape[name] = z.object(
      Object.fromEntries(Object.entries(keys).map(([part, key]) => [part, codecs.get(key)?.schema ?? z.never()])),
    )

  const show = (stored: object | null): Loose => {
    const values: Loose = {}
    for (const [key, codec] of codecs) {
      const value = codec.show(isIn(stored, key) ? stored[key] : codec.initial)
      const part = parts.find((one) => one.key === key)
      if (part === undefined) values[nameOf(key)] = value
      else values[part.name] = { ...(values[part.name] as Loose | undefined), [part.part]: value }
    }
    return values
  }
  const send = (values: Loose, stored: object | null): Loose =>
    Object.fromEntries(
      [...codecs].map(([key, codec]) => {
        const part = parts.find((one) => one.key === key)
        const value = part === undefined ? values[nameOf(key)] : (values[part.name] as Loose)[part.part]
        return [key, codec.send(value, isIn(stored, key) ? stored[key] : undefined)]
      }),
    )
  const mapping = { shape, show, send, names: new Map(fields.map(([key]) => [key, nameOf(key)])) }
  return mapping as unknown as FieldMapping<ValuesOf<V, N, O, J, W>, Sent<V, W>>
}

type Loose = Record<string, unknown>
const isIn = (stored: object | null, key: string): stored is Loose => stored !== null && (stored as Loose)[key] !== undefined
const fieldsOf = ({ shape }: Field): Fields => (shape.kind === 'record' ? shape.fields : {})
const camel = (key: string): string => key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const inUnits = (micros: unknown) => (typeof micros === 'number' ? fromMicros(micros) : micros)

type Codec = {
  readonly schema: z.ZodMiniType
  show(stored: unknown): unknown
  send(value: unknown, stored: unknown): unknown
}
type SendText = (typed: string, stored: string | null | undefined) => string | null

const trimmed: SendText = (typed, stored) => (stored !== undefined && typed === (stored ?? '') ? stored : typed.trim() || null)
export const shownText = (value: string | number | null): string => (value === null ? '' : String(value))
/** The format in which JavaScript writes stored numbers. */
const STORED = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/
/** Parses a typed or stored number: null when empty, NaN when the text is not a number. */
export const numberOf = (text: string): number | null => (STORED.test(text.trim()) ? Number(text) : readDecimal(text))

/** A number that the form holds as typed. */
export const typedNumber = (schema: z.ZodMiniType<string, string>) => ({
  schema,
  show: (stored: number | null) => shownText(stored),
  send: (typed: string) => numberOf(typed),
})

function codecOf(field: Field, text: SendText): Codec {
  const { shape, nullable } = field
  if (shape.kind === 'text') {
    const schema = z.string().check(z.maxLength(shape.max, `faults:maxLength?max=${shape.max}`))
    return { schema, show: shownText, send: (typed, stored) => text(typed as string, stored as string | null | undefined) }
  }
  if (shape.kind === 'number' && nullable)
    return typedNumber(z.string().check(z.refine((typed) => !Number.isNaN(numberOf(typed)), 'faults:numeric')))
  return { schema: answered(field), show: (stored) => structuredClone(stored), send: (value) => value }
}
