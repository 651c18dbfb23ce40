import type { Field, Fields, InputOf, Shape, ValueOf, Values } from '#domain/kit/fields'
import { among } from './http.ts'
import { z } from './zod.ts'

/** A stored value as JSON answers hold it. */
type Plain<T> = T extends readonly (infer U)[] ? Plain<U>[] : T extends object ? { -readonly [K in keyof T]: Plain<T[K]> } : T

export type InputSchemas<F extends Fields> = {
  [K in keyof F]: z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniType<InputOf<F[K]>>>>
}
export type OutputSchemas<F extends Fields> = { [K in keyof F]: z.ZodMiniType<Plain<ValueOf<F[K]>>> }

const entries = <T>(fields: Fields, make: (field: Field) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, make(field)]))

/** Schemas of sent fields, by key: every field may be absent or null. Fields that the product sets are excluded. */
export const inputsOf = <F extends Fields>(fields: F): InputSchemas<F> =>
  entries(Object.fromEntries(Object.entries(fields).filter(([, field]) => !field.readOnly)), (field) =>
    annotated(field, z.nullish(sent(field))),
  ) as unknown as InputSchemas<F>

/** Schemas of returned fields, by key: every field is present. */
export const outputsOf = <F extends Fields>(fields: F): OutputSchemas<F> =>
  entries(fields, answered) as unknown as OutputSchemas<F>

/** The same, absent for callers who may not see them. */
export const optionalOutputsOf = <F extends Fields>(fields: F): { [K in keyof F]: z.ZodMiniOptional<OutputSchemas<F>[K]> } =>
  entries(fields, (field) => annotated(field, z.optional(answered(field)))) as unknown as {
    [K in keyof F]: z.ZodMiniOptional<OutputSchemas<F>[K]>
  }

function annotated<T extends z.ZodMiniType>({ description }: Field, schema: T): T {
  return description === undefined ? schema : schema.check(z.describe(description))
}

const listing = <T extends z.ZodMiniType>(schema: T, values: Values | undefined): T =>
  values === undefined ? schema : among(schema, values)

function sent({ shape, values }: Field): z.ZodMiniType {
  switch (shape.kind) {
    case 'text': {
      const checks = shape.pattern === undefined ? z.maxLength(shape.max) : z.regex(shape.pattern)
      return listing(z.string().check(checks), values)
    }
    case 'number':
      return listing(shape.integer ? z.int() : z.number(), values)
    case 'flag':
      return z.boolean()
    case 'instant':
      return z.union([z.string(), z.number()])
    case 'list': {
      const items = z.array(sent(entryOf(shape.item, values)))
      return items.check(z.maxLength(shape.max))
    }
    case 'record':
      return sentRecord(shape)
    case 'custom':
      return z.unknown()
  }
}

/** The values that a list offers are those of its entries. */
const entryOf = (item: Field, values: Values | undefined): Field => (values === undefined ? item : { ...item, values })

const sentRecord = ({ fields, aliases }: Extract<Shape, { kind: 'record' }>): z.ZodMiniType =>
  z.object(
    entries({ ...fields, ...aliases }, (field) => (field.required ? sent(field) : annotated(field, z.nullish(sent(field))))),
  )

/** Schema of a field's value as answers have it. */
export function answered(field: Field): z.ZodMiniType {
  const schema = answeredShape(field)
  return field.nullable ? z.nullable(schema) : schema
}

function answeredShape({ shape, values }: Field): z.ZodMiniType {
  switch (shape.kind) {
    case 'text':
    case 'instant':
      return listing(z.string(), values)
    case 'number':
      return listing(z.number(), values)
    case 'flag':
      return z.boolean()
    case 'list':
      return z.array(answered(entryOf(shape.item, values)))
    case 'record':
      return z.object(entries(shape.fields, answered))
    case 'custom':
      return z.unknown()
  }
}
