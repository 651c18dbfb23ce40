import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PLACES, type PlaceKey } from '@/features/campaigns/form/creatives/places'
import { ALIKE, FULL, sortFiles, THERE, TWICE, type Candidate } from './sort-files.ts'

const place = fc.constantFrom(...PLACES)
const room = fc.record(Object.fromEntries(PLACES.map((key) => [key, fc.nat(3)])) as Record<PlaceKey, fc.Arbitrary<number>>)
const REASON = 'faults:notAnImage'
const files = fc
  .array(
    fc.record({
      fits: fc.uniqueArray(place, { maxLength: 4 }),
      content: fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e')),
      alike: fc.boolean(),
    }),
    { maxLength: 12 },
  )
  .map((all) => all.map((one, id): Candidate => ({ ...one, id, reason: one.fits.length === 0 ? REASON : null })))
const there = fc.uniqueArray(fc.constantFrom('a', 'b')).map((all) => new Set<string>(all))
const choices = fc
  .array(fc.tuple(fc.nat(11), fc.option(place)), { maxLength: 8 })
  .map((all) => new Map<number, PlaceKey | null>(all))

const input = fc.tuple(files, room, there, choices)
const placesOf = (sorted: ReturnType<typeof sortFiles>) => [...sorted.values()].flatMap((one) => one.place ?? [])
const count = (all: readonly PlaceKey[], key: PlaceKey) => all.filter((one) => one === key).length

describe('sorting dropped files into places', () => {
  it('gives every file either a place that it fits, or a reason, or leaves it out on request', () => {
    fc.assert(
      fc.property(input, ([all, rooms, known, chosen]) => {
        const sorted = sortFiles(all, rooms, known, chosen)
        expect(sorted.size).toBe(all.length)
        for (const { id, fits } of all) {
          const { place: found, reason } = sorted.get(id) ?? { place: null, reason: null }
          if (found === null) expect(reason !== null || chosen.get(id) === null).toBe(true)
          else expect([reason, fits.includes(found)]).toEqual([null, true])
        }
      }),
    )
  })

  it('never puts more files into a place than it has room for', () => {
    fc.assert(
      fc.property(input, ([all, rooms, known, chosen]) => {
        const used = placesOf(sortFiles(all, rooms, known, chosen))
        for (const key of PLACES) expect(count(used, key)).toBeLessThanOrEqual(rooms[key])
      }),
    )
  })

  it('never adds a content twice, or one that the campaign has', () => {
    fc.assert(
      fc.property(input, ([all, rooms, known, chosen]) => {
        const sorted = sortFiles(all, rooms, known, chosen)
        const added = all.flatMap(({ id, content }) =>
          content !== null && (sorted.get(id)?.place ?? null) !== null ? [content] : [],
        )
        expect(new Set(added).size).toBe(added.length)
        expect(added.filter((content) => known.has(content))).toEqual([])
      }),
    )
  })

  it('says that the places are taken only when all that the file fits are', () => {
    fc.assert(
      fc.property(input, ([all, rooms, known, chosen]) => {
        const sorted = sortFiles(all, rooms, known, chosen)
        const used = placesOf(sorted)
        for (const { id, fits } of all)
          if (sorted.get(id)?.reason === FULL) for (const key of fits) expect(count(used, key)).toBe(rooms[key])
      }),
    )
  })

  it('follows the latest choice wherever the place has room', () => {
    fc.assert(
      fc.property(input, ([all, rooms, , chosen]) => {
        const last = [...chosen].at(-1)
        const file = last === undefined ? undefined : all.find(({ id }) => id === last[0])
        fc.pre(last !== undefined && file !== undefined && file.content === null)
        const [id, wanted] = last
        fc.pre(wanted === null || (file.fits.includes(wanted) && rooms[wanted] > 0))
        expect(sortFiles(all, rooms, new Set(), chosen).get(id)).toEqual({ place: wanted, reason: null })
      }),
    )
  })

  const one: Candidate = { id: 0, fits: ['responsiveImage', 'nativeLandscape'], reason: null, content: 'x', alike: false }
  const free = Object.fromEntries(PLACES.map((key) => [key, 1])) as Record<PlaceKey, number>
  const other = { ...one, id: 1, content: 'y' }

  it('fills the next place that fits when the first one is taken, and lets a choice displace it', () => {
    expect([...sortFiles([one, other], free, new Set()).values()].map((sorted) => sorted.place)).toEqual([
      'responsiveImage',
      'nativeLandscape',
    ])
    const swapped = sortFiles([one, other], free, new Set(), new Map([[1, 'responsiveImage']]))
    expect([...swapped].toSorted(([a], [b]) => a - b).map(([, sorted]) => sorted.place)).toEqual([
      'nativeLandscape',
      'responsiveImage',
    ])
  })

  it('names a repeated content, one that is there, and one that looks like one that is there', () => {
    const reasonOf = (sorted: ReturnType<typeof sortFiles>, id: number) => sorted.get(id)?.reason
    expect(reasonOf(sortFiles([one, { ...other, content: 'x' }], free, new Set()), 1)).toBe(TWICE)
    expect(reasonOf(sortFiles([one], free, new Set(['x'])), 0)).toBe(THERE)
    const alike = { ...one, alike: true }
    expect(reasonOf(sortFiles([alike], free, new Set()), 0)).toBe(ALIKE)
    expect(sortFiles([alike], free, new Set(), new Map([[0, 'nativeLandscape']])).get(0)?.place).toBe('nativeLandscape')
  })
})
