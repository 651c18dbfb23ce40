import fc from 'fast-check'
import { LONGEST_STREAM } from '#contract/live'
import { bodiesOf } from './bodies.ts'
import type { Document, Operation, Schema } from './document.ts'
import type { Fixtures } from './files.ts'
import { fromSchema } from './generate.ts'
import { headersOf } from './headers.ts'
import { junkText } from './junk.ts'
import { pick, plausible, type CurrentWorld } from './plausible.ts'
import { placesOf } from './together.ts'

/** A request without its caller. */
export type Draft = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
  /** False when the path may lead to another call or none: only general checks apply then. */
  readonly routed: boolean
}

/** Longer paths are not routed. */
const LONGEST_PARAMETER = 500

type Segment = { readonly text: string; readonly routed: boolean }
const encoded = (value: unknown): Segment => {
  const plain = String(value).toWellFormed()
  return { text: encodeURIComponent(plain), routed: plain !== '' && encodeURIComponent(plain).length <= LONGEST_PARAMETER }
}
const RAW: fc.Arbitrary<Segment> = fc
  .constantFrom('', '..', '%2e%2e', '%00', '%zz', '%', '%ff', 'a/b', '../..', '*', ':id', ';', '%u0041', '//', '.')
  .map((text) => ({ text, routed: false }))

/** Requests of one call: one half as from an honest client, the other half with all kinds of faults. */
export function requestsOf(
  operation: Operation,
  document: Document,
  current: CurrentWorld,
  fixtures: Fixtures,
): fc.Arbitrary<Draft> {
  const of = (honest: boolean): fc.Arbitrary<Draft> =>
    fc
      .record({
        places: placesOf(current, operation.id),
        path: pathOf(operation, document, current, honest),
        query: queryOf(operation, document, current, honest),
        headers: headersOf(operation, current, honest),
        body: bodiesOf(operation, document, current, fixtures, honest),
      })
      .map(({ places, path, query, headers, body }) => {
        const chosen = honest ? places : {}
        const segments = path.map((one) => (one.name in chosen ? { ...one, ...encoded(chosen[one.name]) } : one))
        const pairs = [
          ...query.filter(({ name }) => !(name in chosen)).map(({ text }) => text),
          ...chosenQuery(operation, chosen),
        ]
        if (operation.endpoint.stream === true) atOnce(pairs)
        const address = segments.reduce((text, { name, text: part }) => text.replace(`{${name}}`, () => part), operation.path)
        return {
          url: pairs.length === 0 ? address : `${address}?${pairs.join('&')}`,
          headers: { ...headers, ...(body === null ? {} : { 'content-type': body.contentType }) },
          body: body?.bytes ?? null,
          routed: segments.every(({ routed }) => routed),
        }
      })
  return fc.oneof(of(true), of(false))
}

/** Streams end at once, except for requests that should be refused. */
function atOnce(pairs: string[]): void {
  const said = pairs.findIndex((pair) => pair.startsWith('seconds='))
  if (said === -1) pairs.push('seconds=0')
  else if (Number(decodeURIComponent(pairs[said]?.slice('seconds='.length) ?? '')) <= LONGEST_STREAM) pairs[said] = 'seconds=0'
}

const chosenQuery = ({ parameters }: Operation, chosen: Readonly<Record<string, unknown>>): readonly string[] =>
  parameters
    .filter(({ in: where, name }) => where === 'query' && name in chosen)
    .map(({ name }) => `${encodeURIComponent(name)}=${encoded(chosen[name]).text}`)

function valueOf({ id }: Operation, document: Document, current: CurrentWorld, honest: boolean, name: string, schema: Schema) {
  const hints = (key: string) => plausible(current, id, key)
  const generated = fromSchema(schema, document, hints)
  const anyId = pick(() => [
    ...current().campaigns.map((one) => one.id),
    ...current().spaces,
    ...current().users,
    ...current().archives,
  ])
  const likely = hints(name) ?? generated
  if (honest) return likely
  return fc.oneof(
    { weight: 8, arbitrary: likely },
    { weight: 1, arbitrary: generated },
    { weight: 1, arbitrary: anyId },
    { weight: 2, arbitrary: junkText },
  )
}

function pathOf(operation: Operation, document: Document, current: CurrentWorld, honest: boolean) {
  const segments = operation.parameters
    .filter((one) => one.in === 'path')
    .map(({ name, schema }) => {
      const good = valueOf(operation, document, current, honest, name, schema).map(encoded)
      const any = honest ? good : fc.oneof({ weight: 15, arbitrary: good }, { weight: 1, arbitrary: RAW })
      return any.map((segment) => ({ name, ...segment }))
    })
  return fc.tuple(...segments)
}

type Pair = { readonly name: string; readonly text: string }

function queryOf(
  operation: Operation,
  document: Document,
  current: CurrentWorld,
  honest: boolean,
): fc.Arbitrary<readonly Pair[]> {
  const pairs = operation.parameters
    .filter((one) => one.in === 'query')
    .map(({ name, schema, required }) =>
      fc
        .tuple(fc.nat({ max: 99 }), valueOf(operation, document, current, honest, name, schema))
        .map(([chance, value]): Pair[] => {
          const pair = { name, text: `${encodeURIComponent(name)}=${encoded(value).text}` }
          if (honest) return required || chance < 20 ? [pair] : []
          if (chance < 4) return [pair, pair]
          return chance < (required ? 92 : 40) ? [pair] : []
        }),
    )
  const odd = fc.constantFrom('', '', '', '', 'unknown=1', '%zz=%', '__proto__=1', '&&=', '=')
  const more = (honest ? fc.constant('') : odd).map((text) => (text === '' ? [] : [{ name: '', text }]))
  return fc.tuple(fc.tuple(...pairs), more).map(([known, unknown]) => [...known.flat(), ...unknown])
}
