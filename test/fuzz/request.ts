import fc from 'fast-check'
import type { Document, Operation } from './document.ts'
import { uploadsOf, type Body, type Fixtures } from './files.ts'
import { fromSchema } from './generate.ts'
import { junkText, junkValue, mutated } from './junk.ts'
import { pick, plausible, template, type Look } from './plausible.ts'

/** A request but for who makes it. */
export type Draft = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
  /** False where the path may lead to no call, or to another: then only what holds of every answer is judged. */
  readonly routed: boolean
}

/** Longer ones fastify does not route. */
const LONGEST_PARAMETER = 500

type Segment = { readonly text: string; readonly routed: boolean }
const encoded = (value: unknown): Segment => {
  const text = encodeURIComponent(String(value).toWellFormed())
  return { text, routed: text !== '' && text.length <= LONGEST_PARAMETER }
}
const RAW: fc.Arbitrary<Segment> = fc
  .constantFrom('', '..', '%2e%2e', '%00', '%zz', '%', '%ff', 'a/b', '../..', '*', ':id', ';', '%u0041', '//', '.')
  .map((text) => ({ text, routed: false }))

/** Requests of one call: mostly what it takes, with real ids, and all kinds of what it does not. */
export function requestsOf(operation: Operation, document: Document, look: Look, fixtures: Fixtures): fc.Arbitrary<Draft> {
  const hints = (name: string) => plausible(look, operation.id, name)
  const anyId = pick(() => [...look().campaigns.map(({ id }) => id), ...look().spaces, ...look().users, ...look().archives])

  const value = (name: string, schema: Parameters<typeof fromSchema>[0]) =>
    fc.oneof(
      { weight: 14, arbitrary: hints(name) ?? fromSchema(schema, document, hints) },
      { weight: 1, arbitrary: fromSchema(schema, document, hints) },
      { weight: 1, arbitrary: anyId },
      { weight: 1, arbitrary: junkText },
    )

  const path = fc
    .tuple(
      ...operation.parameters
        .filter((one) => one.in === 'path')
        .map(({ name, schema }) =>
          fc
            .oneof({ weight: 24, arbitrary: value(name, schema).map(encoded) }, { weight: 1, arbitrary: RAW })
            .map((segment) => ({ name, ...segment })),
        ),
    )
    .map((segments) => ({
      text: segments.reduce((text, { name, text: part }) => text.replace(`{${name}}`, () => part), operation.path),
      routed: segments.every(({ routed }) => routed),
    }))

  const query = fc
    .tuple(
      ...operation.parameters
        .filter((one) => one.in === 'query')
        .map(({ name, schema, required }) =>
          fc.tuple(fc.nat({ max: 99 }), value(name, schema)).map(([chance, one]) => {
            const pair = `${encodeURIComponent(name)}=${encoded(one).text}`
            if (chance < 2) return [pair, pair]
            return chance < (required ? 96 : 30) ? [pair] : []
          }),
        ),
      fc.constantFrom([], [], [], [], [], [], [], [], [], ['unknown=1'], ['%zz=%'], ['__proto__=1']),
    )
    .map((pairs) => pairs.flat().join('&'))

  return fc
    .record({ path, query, headers: headersOf(operation, look), body: bodyOf(operation, document, look, fixtures) })
    .map((made) => ({
      url: made.query === '' ? made.path.text : `${made.path.text}?${made.query}`,
      headers: { ...made.headers, ...(made.body === null ? {} : { 'content-type': made.body.contentType }) },
      body: made.body?.bytes ?? null,
      routed: made.path.routed,
    }))
}

/** Rare ones by weight: a position that is not reached yet costs two seconds. */
function headersOf({ endpoint }: Operation, look: Look): fc.Arbitrary<Record<string, string>> {
  const maybe = (name: string, weight: number, values: fc.Arbitrary<string>) =>
    fc.oneof(
      { weight: 100 - weight, arbitrary: fc.constant({}) },
      { weight, arbitrary: values.map((text) => ({ [name]: text })) },
    )
  const position = fc.oneof(
    { weight: 40, arbitrary: fc.constant(null).map(() => look().position) },
    { weight: 40, arbitrary: fc.constantFrom('0', '1', '') },
    {
      weight: 15,
      arbitrary: fc.constantFrom('-1', 'x', '1e3', ' 1', '1.5', '12345678901234567890', '٣'.length.toString(), '0x10'),
    },
    { weight: 1, arbitrary: fc.constantFrom('999999999999', '9223372036854775807', '9999999999999999999') },
  )
  const key = fc.oneof(
    fc.uuid(),
    fc.nat({ max: 9 }).map((n) => `key-${n}`),
    fc.constantFrom('x'.repeat(300), ' ', '"', "'", 'é'),
  )
  return fc
    .tuple(
      maybe('x-position', 25, position),
      maybe('idempotency-key', endpoint.command === true ? 25 : 3, key),
      maybe('if-match', endpoint.command === true ? 10 : 2, fc.constantFrom('"1"', '1', '"2"', '*', 'W/"1"', 'x', '"999999999"')),
      maybe('if-none-match', 5, fc.constantFrom('*', '"x"', 'W/"x", "y"')),
      maybe(
        'range',
        endpoint.raw === true ? 20 : 1,
        fc.constantFrom('bytes=0-9', 'bytes=5-', 'bytes=-5', 'bytes=9-1', 'bytes=99999999-', 'x'),
      ),
      maybe('x-placard-client', 10, fc.constantFrom('web', 'x')),
      maybe('accept', 5, fc.constantFrom('text/html', 'x', '*/*;q=0')),
    )
    .map((all) => Object.assign({}, ...all))
}

const JSON_TYPE = 'application/json'
const body = (contentType: string, text: string): Body => ({ contentType, bytes: Buffer.from(text) })

function bodyOf(operation: Operation, document: Document, look: Look, fixtures: Fixtures): fc.Arbitrary<Body | null> {
  if (operation.media === null)
    return fc.oneof({ weight: 19, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: unexpected })
  if (operation.media === 'multipart/form-data') return uploadsOf(operation.id, fixtures)
  const hints = (name: string) => plausible(look, operation.id, name)
  const generated = fromSchema(operation.schema, document, hints)
  const together = template(look, operation.id)
  const good =
    operation.media === 'text/plain'
      ? (hints('id') ?? generated)
      : together === undefined
        ? generated
        : fc
            .tuple(generated, together, fc.nat({ max: 9 }))
            .map(([some, one, chance]) => (chance < 3 ? some : chance < 7 ? one : { ...Object(some), ...one }))
  const content = fc.oneof(
    { weight: 6, arbitrary: good },
    { weight: 3, arbitrary: mutated(good) },
    { weight: 1, arbitrary: junkValue },
  )
  return fc.oneof(
    { weight: 18, arbitrary: content.map((value) => body(operation.media ?? JSON_TYPE, written(operation.media, value))) },
    { weight: 1, arbitrary: content.map((value) => body('text/plain', JSON.stringify(value) ?? '')) },
    { weight: 1, arbitrary: unexpected },
  )
}

function written(media: string | null, value: unknown): string {
  if (media === 'text/plain') return typeof value === 'string' ? value : JSON.stringify(value)
  if (media !== 'application/x-www-form-urlencoded') return JSON.stringify(value) ?? ''
  const pairs = typeof value === 'object' && value !== null ? Object.entries(value) : [['value', String(value)]]
  return new URLSearchParams(pairs.map(([name, one]) => [String(name), String(one)])).toString()
}

const unexpected: fc.Arbitrary<Body> = fc.constantFrom(
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
