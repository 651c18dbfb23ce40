import { describe, expect, it } from 'vitest'
import { eventDecoder, FIRST, type StoredForm } from './event-schema.ts'

type Named = {
  readonly type: 'Named'
  readonly data: { readonly first: string; readonly last: string; readonly title: string | null }
}
type Left = { readonly type: 'Left'; readonly data: Record<string, never> }

/** Version 1 had one name, version 2 split it in two, version 3 added an optional title. */
const decode = eventDecoder<Named | Left>({
  Named: {
    version: 3,
    upcasters: {
      1: ({ name, ...rest }) => {
        const [first = '', last = ''] = String(name).split(' ')
        return { ...rest, first, last }
      },
      2: (data) => ({ ...data, title: null }),
    },
  },
  Left: FIRST,
})

const stored = (type: string, schemaVersion: number, data: object = {}): StoredForm => ({
  type,
  schemaVersion,
  data: JSON.stringify(data),
  stream: 'person-7',
  version: 4,
  position: 812n,
})

describe('decoding an event', () => {
  it('accepts the newest version unchanged', () => {
    const data = { first: 'Ada', last: 'Hassan', title: 'Dr' }
    expect(decode(stored('Named', 3, data))).toEqual({ type: 'Named', data })
  })

  it('raises an older version one step at a time', () => {
    expect(decode(stored('Named', 2, { first: 'Ada', last: 'Hassan' })).data).toEqual({
      first: 'Ada',
      last: 'Hassan',
      title: null,
    })
    expect(decode(stored('Named', 1, { name: 'Ada Hassan' })).data).toEqual({ first: 'Ada', last: 'Hassan', title: null })
  })

  it.each([
    ['a type that is not of the union', 'Renamed', 1, 'this build does not know the type'],
    ['a type named like a property of every object', 'constructor', 1, 'this build does not know the type'],
    ['a version newer than the build', 'Named', 4, 'this build knows versions up to 3'],
    ['a version before the first', 'Named', 0, 'no upcaster leads from version 0 to 1'],
  ])('refuses %s and names the place', (_, type, schemaVersion, why) => {
    expect(() => decode(stored(type, schemaVersion))).toThrow(
      expect.objectContaining({
        name: 'UndecodableEvent',
        message: `cannot read ${type}, schema version ${schemaVersion}, at position 812 (version 4 of person-7): ${why}`,
      }),
    )
  })

  it('a decoder of events is not created with a gap between two versions', () => {
    const gap = { Named: { version: 3, upcasters: { 1: (data: object) => ({ ...data }) } }, Left: FIRST }
    expect(() => eventDecoder<Named | Left>(gap)).toThrow('Named: no upcaster leads from version 2 to 3')
  })
})
