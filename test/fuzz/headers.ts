import fc from 'fast-check'
import type { Operation } from './document.ts'
import type { CurrentWorld } from './plausible.ts'

type Headers = Readonly<Record<string, string>>

const maybe = (name: string, percent: number, values: fc.Arbitrary<string>): fc.Arbitrary<Headers> =>
  fc.oneof(
    { weight: 100 - percent, arbitrary: fc.constant({}) },
    { weight: percent, arbitrary: values.map((text) => ({ [name]: text })) },
  )

const KEYS = fc.oneof(
  fc.uuid(),
  fc.nat({ max: 9 }).map((n) => `key-${n}`),
  fc.constantFrom('x'.repeat(300), ' ', '"', "'", 'é'),
)
/** A future position costs two seconds, so it is rare. */
const FAR = fc.constantFrom('999999999999', '9223372036854775807', '9999999999999999999')
const NO_POSITION = fc.constantFrom('-1', 'x', '1e3', ' 1', '1.5', '12345678901234567890', '0x10', '1, 2')

/** Headers except for the token and the content type. */
export function headersOf({ endpoint }: Operation, current: CurrentWorld, honest: boolean): fc.Arbitrary<Headers> {
  const command = endpoint.command === true
  const position = fc.constant(null).map(() => current().position)
  // Pages of banners open inside a frame alone.
  const frames = maybe('sec-fetch-dest', endpoint.id === 'file.banner' ? 70 : 2, fc.constantFrom('iframe', 'document', 'x'))
  if (honest)
    return fc
      .tuple(maybe('x-position', 20, position), maybe('idempotency-key', command ? 30 : 0, fc.uuid()), frames)
      .map((all) => Object.assign({}, ...all))
  const positions = fc.oneof(
    { weight: 40, arbitrary: position },
    { weight: 30, arbitrary: fc.constantFrom('0', '1', '') },
    { weight: 20, arbitrary: NO_POSITION },
    { weight: 1, arbitrary: FAR },
  )
  const ranges = fc.constantFrom('bytes=0-9', 'bytes=5-', 'bytes=-5', 'bytes=9-1', 'bytes=99999999-', 'bytes=0-0,2-3', 'x')
  return fc
    .tuple(
      maybe('x-position', 20, positions),
      maybe('idempotency-key', command ? 40 : 5, KEYS),
      maybe('if-match', command ? 15 : 2, fc.constantFrom('"1"', '1', '"2"', '*', 'W/"1"', 'x', '"999999999"')),
      maybe('if-none-match', 8, fc.constantFrom('*', '"x"', 'W/"x", "y"')),
      maybe('range', endpoint.raw === true ? 30 : 1, ranges),
      maybe('x-placard-client', 10, fc.constantFrom('web', 'x')),
      maybe('x-placard-identity', 2, fc.constantFrom('', 'x', 'x y')),
      frames,
      maybe('accept', 5, fc.constantFrom('text/html', 'x', '*/*;q=0')),
    )
    .map((all) => Object.assign({}, ...all))
}
