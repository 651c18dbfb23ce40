import fc from 'fast-check'

/** Values that no honest client sends. */
const STRINGS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfffy',
  'NaN',
  '-Infinity',
  '1e999',
  "'; drop table campaigns --",
  '"',
  '\\',
  '%00',
  '../../etc/passwd',
  '..',
  '<script>alert(1)</script>',
  '${7*7}',
  '__proto__',
  'null',
  'undefined',
  '٣',
  '\u202eabc',
  '🏳️‍🌈',
  '2026-02-30',
  '275760-09-13T00:00:00Z',
  '-000001-01-01',
  '9223372036854775808',
  '99999999999999999999',
] as const

export const junkText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...STRINGS),
  fc.uuid(),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.integer({ min: 300, max: 6000 }).map((length) => 'x'.repeat(length)),
  // A client that cuts them at its own limit may cut a sign in the middle.
  fc
    .tuple(fc.constantFrom(99, 199, 299, 499, 999, 4998, 4999), fc.constantFrom('😀', '👩‍👩‍👧', 'e\u0301'))
    .map(([length, sign]) => 'x'.repeat(length) + sign),
  // An address holds it too.
  fc.integer({ min: 20, max: 200 }).map((length) => '😀'.repeat(length)),
)

const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)

export const junkValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: junkText },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      null,
      true,
      0,
      -0,
      -1,
      0.1,
      1e-9,
      1e9,
      1e15,
      1e21,
      1e300,
      2 ** 31,
      2 ** 53,
      -(2 ** 63),
      [],
      {},
      [[]],
      [null],
    ),
  },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(20, 500).map(nested) },
  { weight: 1, arbitrary: fc.constant({ ['__proto__']: { admin: true }, constructor: { prototype: {} } }) },
)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value with one fault at any depth. */
export const mutated = (good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(good, fc.array(fc.nat({ max: 99 }), { minLength: 4, maxLength: 4 }), junkValue)
    .map(([value, steps, junk]) => spoil(value, steps, junk))

function spoil(value: unknown, steps: readonly number[], junk: unknown): unknown {
  const [step, ...rest] = steps
  if (step === undefined) return junk
  if (Array.isArray(value)) {
    if (value.length === 0) return junk
    const at = step % value.length
    return step % 5 === 0 ? [...value, ...value] : value.map((one, i) => (i === at ? spoil(one, rest, junk) : one))
  }
  if (!isRecord(value)) return junk
  const keys = Object.keys(value)
  const key = keys[step % Math.max(1, keys.length)]
  if (key === undefined) return { unexpected: junk }
  const { [key]: picked, ...others } = value
  switch (step % 7) {
    case 0:
      return others
    case 1:
      return { ...value, [key]: null }
    case 2:
      return { ...value, [`${key}2`]: picked, unexpected: junk }
    case 3:
    case 4:
      return { ...value, [key]: spoil(picked, rest, junk) }
    default:
      return { ...value, [key]: junk }
  }
}
