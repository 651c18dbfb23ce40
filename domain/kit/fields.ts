/**
 * Fields of a document, each declared once. The document's TypeScript type, its initial value and its wire schemas follow from
 * the declaration.
 */

/** A field that stores `Value`. A caller sends it as `Input`; `Required` fields are mandatory in entries of a list. */
export type Field<Value = unknown, Input = unknown, Required extends boolean = boolean> = {
  /** The value in a new document, and after a caller clears the field. */
  readonly initial: Value
  readonly nullable: boolean
  readonly required: Required
  /** Set only by the product: readable, never sent. */
  readonly readOnly: boolean
  readonly shape: Shape
  readonly description?: string
  /** All that the field, or an entry of the list, may hold: listed in the API documentation, and checked by the rules of the document. */
  readonly values?: Values
  /** Carries the type of the sent value; never set. */
  readonly input?: Input
}
export type Values = readonly (string | number)[]
export type Fields = Readonly<Record<string, Field>>

export type Shape =
  | TextShape
  | { readonly kind: 'number'; readonly integer: boolean }
  | { readonly kind: 'flag' }
  /** ISO 8601 UTC; callers may send milliseconds since 1970 as well. */
  | { readonly kind: 'instant' }
  | { readonly kind: 'list'; readonly item: Field; readonly max: number }
  | { readonly kind: 'record'; readonly fields: Fields; readonly aliases: Fields }
  /** The contract has its own schema for it. */
  | { readonly kind: 'custom' }

export type TextRules = {
  /** Most characters. */
  readonly max: number
  readonly pattern?: RegExp
}
type TextShape = { readonly kind: 'text' } & TextRules

export type ValueOf<F> = F extends Field<infer Value> ? Value : never
export type ValuesOf<F extends Fields> = { readonly [K in keyof F]: ValueOf<F[K]> }

export type InputOf<F> = F extends Field<unknown, infer Input> ? Input : never
type RequiredKeys<F extends Fields> = { [K in keyof F]: F[K] extends Field<unknown, unknown, true> ? K : never }[keyof F]
/** The sent form of a record: required fields, and any of the others or null. */
export type InputsOf<F extends Fields> = { [K in RequiredKeys<F>]: InputOf<F[K]> } & {
  [K in Exclude<keyof F, RequiredKeys<F>>]?: InputOf<F[K]> | null | undefined
}

const LONGEST_TEXT = 5000
const LONGEST_LIST = 10_000
/** Length of a code or an id in a list, and of such lists. */
const LONGEST_CODE = 100
const MOST_TEXTS = 2000

const field = <Value, Input>(shape: Shape, initial: Value): Field<Value, Input, false> => ({
  initial,
  nullable: initial === null,
  required: false,
  readOnly: false,
  shape,
})
const nullable = <Value, Input>(of: Field<Value, Input, false>): Field<Value, Input, false> => ({ ...of, nullable: true })

const textShape = (rules: Partial<TextRules>): TextShape => ({ kind: 'text', max: LONGEST_TEXT, ...rules })
export const text = (initial: string, rules: Partial<TextRules> = {}) => field<string, string>(textShape(rules), initial)
export const optionalText = (rules: Partial<TextRules> = {}) => field<string | null, string>(textShape(rules), null)

const NUMBER: Shape = { kind: 'number', integer: false }
const INTEGER: Shape = { kind: 'number', integer: true }
export const number = (initial: number) => field<number, number>(NUMBER, initial)
export const integer = (initial: number) => field<number, number>(INTEGER, initial)
export const optionalNumber = (initial: number | null = null) => nullable(field<number | null, number>(NUMBER, initial))
export const optionalInteger = () => field<number | null, number>(INTEGER, null)

export const flag = (initial: boolean) => field<boolean, boolean>({ kind: 'flag' }, initial)
export const optionalInstant = () => field<string | null, string | number>({ kind: 'instant' }, null)

/** A list of at most `max` entries. */
export const list = <Value, Input>(
  item: Field<Value, Input>,
  { max = LONGEST_LIST, initial = [] }: { readonly max?: number; readonly initial?: readonly Value[] } = {},
) => field<readonly Value[], Input[]>({ kind: 'list', item, max }, initial)
/** A list of texts, such as codes and ids of a catalogue. */
export const texts = (rules: Partial<TextRules> = {}, max = MOST_TEXTS) =>
  list(text('', { max: LONGEST_CODE, ...rules }), { max })

/** The initial value of a record. */
export const initialOf = <F extends Fields>(fields: F): ValuesOf<F> =>
  Object.fromEntries(Object.entries(fields).map(([key, { initial }]) => [key, initial])) as ValuesOf<F>

const recordShape = (fields: Fields): Shape => ({ kind: 'record', fields, aliases: {} })
/** A record that is always present. */
export const record = <F extends Fields>(fields: F) => field<ValuesOf<F>, InputsOf<F>>(recordShape(fields), initialOf(fields))
/** A record that may be null. */
export const optionalRecord = <F extends Fields>(fields: F) => field<ValuesOf<F> | null, InputsOf<F>>(recordShape(fields), null)
/** The record, with alternative names under which callers may send some fields. */
export function withAliases<Value, Input, A extends Fields>(
  of: Field<Value, Input, false>,
  aliases: A,
): Field<Value, Input & InputsOf<A>, false> {
  const { initial, nullable, required, readOnly, shape } = of
  return { initial, nullable, required, readOnly, shape: shape.kind === 'record' ? { ...shape, aliases } : shape }
}

export const custom = <Value, Input>(initial: Value) => field<Value, Input>({ kind: 'custom' }, initial)

/** The field, mandatory in entries of a list. */
export const required = <Value, Input>(of: Field<Value, Input>): Field<Value, Input, true> => ({ ...of, required: true })
/** The field, with a note for the API documentation. */
export const described = <F extends Field>(of: F, description: string): F => ({ ...of, description })
/** The field, which holds one of the values, or the list, whose entries do. */
export const oneOf = <F extends Field>(of: F, values: Values): F => ({ ...of, values })
/** The field, set only by the product. */
export const readOnly = <Value, Input>(of: Field<Value, Input, false>): Field<Value, Input, false> => ({ ...of, readOnly: true })

/** A stored value from a sent one: missing or null fields become the initial value, and unknown keys are dropped. */
export function complete(of: Field, sent: unknown): unknown {
  if (sent === null || sent === undefined) return of.initial
  if (of.shape.kind === 'record') return completeRecord(of.shape.fields, sent)
  if (of.shape.kind !== 'list' || of.shape.item.shape.kind !== 'record') return sent
  const { fields } = of.shape.item.shape
  return (sent as readonly unknown[]).map((entry) => completeRecord(fields, entry))
}

export function completeRecord<F extends Fields>(fields: F, sent: unknown): ValuesOf<F> {
  const source = sent as Readonly<Record<string, unknown>>
  const result: Record<string, unknown> = {}
  for (const key in fields) {
    const of = fields[key]
    if (of !== undefined) result[key] = complete(of, source[key])
  }
  return result as ValuesOf<F>
}
