import fc from 'fast-check'
import type { Document, Schema } from './document.ts'

/** A plausible value for a property of this name; undefined when there is none. */
export type Hints = (name: string) => fc.Arbitrary<unknown> | undefined

type Context = {
  readonly hints: Hints
  readonly components: Readonly<Record<string, Schema>>
  readonly defs: Readonly<Record<string, Schema>>
  /** Remaining depth of references: recursive schemas end at zero. */
  readonly left: number
}

const MOST_REFERENCES = 4

/** Values that a schema allows, weighted by the hints. */
export const fromSchema = (schema: Schema, document: Document, hints: Hints): fc.Arbitrary<unknown> =>
  build(schema, { hints, components: document.components?.schemas ?? {}, defs: schema.$defs ?? {}, left: MOST_REFERENCES })

function build(schema: Schema, context: Context): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return followed(schema.$ref, context)
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const options = schema.anyOf ?? schema.oneOf
  if (options !== undefined) return oneOf(options, context)
  if (schema.type !== undefined && typeof schema.type !== 'string')
    return fc.oneof(...schema.type.map((type) => build({ ...schema, type }, context)))
  switch (schema.type ?? '') {
    case 'string':
      return text(schema)
    case 'integer':
      return whole(schema)
    case 'number':
      return fc.oneof(whole(schema), fraction(schema))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return list(schema, context)
    case 'object':
      return record(schema, context)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function followed(reference: string, context: Context): fc.Arbitrary<unknown> {
  const [, name = ''] = /([^/]+)$/.exec(reference) ?? []
  const found = reference.startsWith('#/$defs/') ? context.defs[name] : context.components[name]
  if (found === undefined) throw new Error(`${reference} leads nowhere`)
  return build(found, { ...context, left: context.left - 1 })
}

/** The options without a reference once the depth is zero. */
function oneOf(options: readonly Schema[], context: Context): fc.Arbitrary<unknown> {
  const ends = options.filter(({ $ref }) => $ref === undefined)
  const usable = context.left > 0 || ends.length === 0 ? options : ends
  // Prefer a value to null.
  return fc.oneof(...usable.map((option) => ({ weight: option.type === 'null' ? 1 : 4, arbitrary: build(option, context) })))
}

function text({ minLength = 0, maxLength = 40, pattern, format }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid()
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  if (pattern?.includes('[0-9a-fA-F]{6}') === true) return fc.stringMatching(/^#?[0-9a-fA-F]{6}$/)
  const most = Math.max(minLength, Math.min(maxLength, 60))
  return fc.oneof(fc.string({ minLength, maxLength: most }), fc.string({ unit: 'grapheme', minLength, maxLength: most }))
}

const limitsOf = ({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema) => ({
  min: Math.max(minimum ?? -1e6, exclusiveMinimum === undefined ? -1e6 : exclusiveMinimum + 1),
  max: Math.min(maximum ?? 1e6, exclusiveMaximum === undefined ? 1e6 : exclusiveMaximum - 1),
})

function whole(schema: Schema): fc.Arbitrary<number> {
  const { min, max } = limitsOf(schema)
  const near = { min: Math.max(min, -2), max: Math.min(max, 10) }
  return near.min <= near.max ? fc.oneof(fc.integer(near), fc.integer({ min, max })) : fc.integer({ min, max })
}

const fraction = (schema: Schema): fc.Arbitrary<number> => fc.double({ ...limitsOf(schema), noNaN: true })

function list({ items = {}, minItems = 0, maxItems = 3 }: Schema, context: Context): fc.Arbitrary<unknown> {
  if (context.left <= 0 && minItems === 0) return fc.constant([])
  return fc.array(build(items, context), { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 3)) })
}

/** All required properties and a few optional ones: with fifty at once hardly any request would be accepted. */
function record(schema: Schema, context: Context): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema
  const names = Object.keys(properties)
  const optional = names.filter((name) => !required.includes(name))
  const values = Object.fromEntries(names.map((name) => [name, property(name, properties[name] ?? {}, context)]))
  const chosen = fc.oneof(
    { weight: 8, arbitrary: fc.subarray(optional, { maxLength: Math.min(3, optional.length) }) },
    { weight: 1, arbitrary: fc.subarray(optional) },
  )
  const known = chosen.chain((some) =>
    fc.record(Object.fromEntries([...required, ...some].map((name) => [name, values[name] ?? fc.jsonValue()]))),
  )
  if (typeof additionalProperties !== 'object' || Object.keys(additionalProperties).length === 0) return known
  const others = fc.dictionary(fc.string({ maxLength: 8 }), build(additionalProperties, context), { maxKeys: 3 })
  return fc.tuple(known, others).map(([own, more]) => ({ ...more, ...own }))
}

function property(name: string, schema: Schema, context: Context): fc.Arbitrary<unknown> {
  const hinted = context.hints(name)
  const plain = build(schema, context)
  return hinted === undefined ? plain : fc.oneof({ weight: 9, arbitrary: hinted }, { weight: 1, arbitrary: plain })
}
