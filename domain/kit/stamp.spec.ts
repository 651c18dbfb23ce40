import fc from 'fast-check'
import { expect, it } from 'vitest'
import { stampOf } from './stamp.ts'

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('","at":"', ',"at":"2020', '{"actor":"', '\\', '"', 'system:clock'),
)
const instant = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(8e12) }).map((date) => date.toISOString())

it('reads from any metadata what JSON.parse reads', () => {
  fc.assert(
    fc.property(text, text, instant, fc.nat(), fc.boolean(), (actor, role, at, revision, swapped) => {
      const rest = { role, on_behalf_of: role, command_id: actor, index: 0 }
      const metadata = swapped ? { ...rest, revision, at, actor } : { actor, ...rest, at, revision, previous_hash: role }
      expect(stampOf(JSON.stringify(metadata))).toEqual({ at, revision, actor })
    }),
    { numRuns: 2000 },
  )
})

it('reads an instant of another length too', () => {
  const metadata = JSON.stringify({ actor: 'a', at: '+012026-01-01T00:00:00.000Z', revision: 3, index: 0 })
  expect(stampOf(metadata)).toEqual({ at: '+012026-01-01T00:00:00.000Z', revision: 3, actor: 'a' })
})
