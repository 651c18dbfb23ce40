import fc from 'fast-check'
import type { Document, Operation } from './document.ts'
import { honestUpload, uploadsOf, type Body, type Fixtures } from './files.ts'
import { fromSchema } from './generate.ts'
import { junkValue, mutated } from './junk.ts'
import { plausible, type CurrentWorld } from './plausible.ts'
import { bodyTogether } from './together.ts'

const JSON_TYPE = 'application/json'
const SCIM_TYPE = 'application/scim+json'
const body = (contentType: string, text: string): Body => ({ contentType, bytes: Buffer.from(text) })

/** Bodies of one call: valid by its schema, corrupted, or of another format. */
export function bodiesOf(
  operation: Operation,
  document: Document,
  current: CurrentWorld,
  fixtures: Fixtures,
  honest: boolean,
): fc.Arbitrary<Body | null> {
  const { media, id } = operation
  if (media === null)
    return honest
      ? fc.constant(null)
      : fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: UNEXPECTED })
  if (media === 'multipart/form-data') return honest ? honestUpload(id, fixtures) : uploadsOf(id, fixtures)
  const good = goodBody(operation, document, current)
  const sent = (value: unknown): Body => body(media, written(media, value))
  if (honest) return good.map(sent)
  const content = fc.oneof(
    { weight: 3, arbitrary: good },
    { weight: 6, arbitrary: mutated(good) },
    { weight: 1, arbitrary: junkValue },
  )
  return fc.oneof(
    { weight: 18, arbitrary: content.map(sent) },
    { weight: 1, arbitrary: content.map((value) => body('text/plain', JSON.stringify(value) ?? '')) },
    { weight: 2, arbitrary: UNEXPECTED },
  )
}

/** By the schema, from related values, or both. */
function goodBody({ id, media, schema }: Operation, document: Document, current: CurrentWorld): fc.Arbitrary<unknown> {
  const hints = (name: string) => plausible(current, id, name)
  const generated = fromSchema(schema, document, hints)
  const together = bodyTogether(current, id)
  if (together === undefined) return media === 'text/plain' ? (hints('id') ?? generated) : generated
  if (media === 'text/plain') return together
  return fc
    .tuple(generated, together, fc.nat({ max: 9 }))
    .map(([some, one, chance]) => (chance < 1 ? some : chance < 6 ? one : { ...Object(some), ...Object(one) }))
}

function written(media: string, value: unknown): string {
  if (media === 'text/plain') return typeof value === 'string' ? value : JSON.stringify(value)
  if (media === JSON_TYPE || media === SCIM_TYPE) return JSON.stringify(value) ?? ''
  const pairs = typeof value === 'object' && value !== null ? Object.entries(value) : [['value', value]]
  return new URLSearchParams(pairs.map(([name, one]) => [String(name), String(one)])).toString()
}

const UNEXPECTED: fc.Arbitrary<Body> = fc.constantFrom(
  body(JSON_TYPE, '{"id":'),
  body(JSON_TYPE, ''),
  body(JSON_TYPE, '\u0000'),
  body(JSON_TYPE, '{"a":1}{"a":2}'),
  body(JSON_TYPE, '{"__proto__":{"admin":true}}'),
  body(JSON_TYPE, '"just text"'),
  body('application/xml', '<id/>'),
  body('', 'x'),
  body('application/json; charset=utf-16', '{}'),
  body('text/plain', ''),
  body('application/x-www-form-urlencoded', 'a=1&a=2&%zz=%'),
  { contentType: JSON_TYPE, bytes: Buffer.from([0x22, 0xff, 0xfe, 0x22]) },
)
