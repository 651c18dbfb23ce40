import { createHash, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { consistencyPlan, emptyRoot, inclusionPlan, leafHash, rootRange, type Plan } from './merkle.ts'
import { isConsistent, isIncluded } from './offline-verifier.ts'
import { edgesOf, extended, hashesOf, TILE_WIDTH, TreeFault, tilesOf, type Tile } from './tiles.ts'

/** The tree of RFC 6962, section 2.1, as the text defines it. */
const sha = (...parts: readonly Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest()
const roots = new Map<string, Buffer>()
function rootOf(entries: readonly Uint8Array[]): Buffer {
  const [only] = entries
  if (only === undefined) return sha()
  if (entries.length === 1) return sha(Buffer.of(0), only)
  // Entries of this file are numbered: the first one and their count name them all.
  const name = `${Buffer.from(only).toString()} ${entries.length}`
  const known = roots.get(name)
  if (known !== undefined) return known
  const k = 2 ** Math.ceil(Math.log2(entries.length) - 1)
  const root = sha(Buffer.of(1), rootOf(entries.slice(0, k)), rootOf(entries.slice(k)))
  roots.set(name, root)
  return root
}
function pathOf(m: number, entries: readonly Uint8Array[]): readonly Buffer[] {
  if (entries.length === 1) return []
  const k = 2 ** Math.ceil(Math.log2(entries.length) - 1)
  const [left, right] = [entries.slice(0, k), entries.slice(k)]
  return m < k ? [...pathOf(m, left), rootOf(right)] : [...pathOf(m - k, right), rootOf(left)]
}
function subproofOf(m: number, entries: readonly Uint8Array[], whole: boolean): readonly Buffer[] {
  if (m === entries.length) return whole ? [] : [rootOf(entries)]
  const k = 2 ** Math.ceil(Math.log2(entries.length) - 1)
  const [left, right] = [entries.slice(0, k), entries.slice(k)]
  return m <= k ? [...subproofOf(m, left, whole), rootOf(right)] : [...subproofOf(m - k, right, false), rootOf(left)]
}

/** Tiles, built by appends of these numbers of leaves. */
function built(entries: readonly Uint8Array[], steps: readonly number[] = [entries.length]) {
  const tiles = new Map<string, Tile>()
  let size = 0
  for (let i = 0; size < entries.length; i++) {
    const added = entries.slice(size, size + (steps[i % steps.length] ?? 1)).map(leafHash)
    const edges = edgesOf(size).flatMap(({ level, index }) => tiles.get(`${level}/${index}`) ?? [])
    for (const tile of extended(size, edges, added)) tiles.set(`${tile.level}/${tile.index}`, tile)
    size += added.length
  }
  return tiles
}
const answer = (tiles: ReadonlyMap<string, Tile>, plan: Plan): readonly Buffer[] =>
  hashesOf(
    plan,
    tilesOf(plan).flatMap(({ level, index }) => tiles.get(`${level}/${index}`) ?? []),
  )
const rootIn = (tiles: ReadonlyMap<string, Tile>, size: number): Buffer => answer(tiles, [rootRange(size)])[0] ?? emptyRoot()
const hex = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('hex'))
const someEntries = (count: number): readonly Buffer[] => Array.from({ length: count }, (_, i) => Buffer.from(`entry ${i}`))

describe('the Merkle tree', () => {
  it('the Merkle tree has the roots that Certificate Transparency publishes for its test vectors', () => {
    const entries = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'].map(
      (entry) => Buffer.from(entry, 'hex'),
    )
    const tiles = built(entries)
    expect(Array.from({ length: 9 }, (_, size) => rootIn(tiles, size).toString('hex'))).toEqual([
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
      '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    ])
  })

  it('proves every leaf and every growth of trees of up to 75 leaves as the RFC defines it', () => {
    const entries = someEntries(75)
    const tiles = built(entries)
    const rootAt = (size: number): Buffer => rootOf(entries.slice(0, size))
    let checked = 0
    for (let size = 1; size <= entries.length; size++) {
      const some = entries.slice(0, size)
      const root = rootAt(size)
      expect(rootIn(tiles, size).equals(root)).toBe(true)
      for (let index = 0; index < size; index++) {
        const path = answer(tiles, inclusionPlan(index, size))
        const leaf = leafHash(entries[index] ?? Buffer.alloc(0))
        checked += 1
        if (hex(path).join() !== hex(pathOf(index, some)).join()) throw new Error(`leaf ${index} of ${size}`)
        if (!isIncluded({ index: BigInt(index), size: BigInt(size), root, leaf, path }))
          throw new Error(`leaf ${index} of ${size}`)
      }
      for (let first = 1; first <= size; first++) {
        const path = answer(tiles, consistencyPlan(first, size))
        const trees = {
          first: { size: BigInt(first), root: rootAt(first) },
          second: { size: BigInt(size), root },
        }
        checked += 1
        if (hex(path).join() !== hex(subproofOf(first, some, true)).join()) throw new Error(`from ${first} to ${size}`)
        if (!isConsistent({ ...trees, path })) throw new Error(`from ${first} to ${size}`)
      }
    }
    expect(checked).toBe(5700)
    expect(isConsistent({ first: { size: 0n, root: emptyRoot() }, second: { size: 75n, root: rootAt(75) }, path: [] })).toBe(true)
  })

  it('the Merkle tree is the same however its leaves arrive, over the edges of tiles', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3 * TILE_WIDTH }),
        fc.array(fc.integer({ min: 1, max: 600 }), { minLength: 1, maxLength: 8, size: 'max' }),
        (count, steps) => {
          const entries = someEntries(count)
          const tiles = built(entries, steps)
          return rootIn(tiles, count).equals(rootOf(entries))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('proves leaves and growth over three levels of tiles', () => {
    const entries = someEntries(70_000)
    const tiles = built(entries, [1000])
    // The example of the specification.
    const last = [...tiles.values()].filter(({ hashes }) => hashes.length < TILE_WIDTH * 32).sort((a, b) => a.level - b.level)
    expect(last.map(({ level, index, hashes }) => [level, index, hashes.length / 32])).toEqual([
      [0, 273, 112],
      [1, 1, 17],
      [2, 0, 1],
    ])
    const root = rootIn(tiles, 70_000)
    for (const index of [0, 255, 256, 65_535, 65_536, 69_887, 69_999, 31_337]) {
      const path = answer(tiles, inclusionPlan(index, 70_000))
      const leaf = leafHash(entries[index] ?? Buffer.alloc(0))
      expect(isIncluded({ index: BigInt(index), size: 70_000n, root, leaf, path })).toBe(true)
    }
    for (const first of [1, 255, 256, 257, 65_535, 65_536, 65_537, 69_999]) {
      const path = answer(tiles, consistencyPlan(first, 70_000))
      const trees = { first: { size: BigInt(first), root: rootIn(tiles, first) }, second: { size: 70_000n, root } }
      expect(isConsistent({ ...trees, path })).toBe(true)
    }
  })

  it('refuses leaves and growth that it does not have', () => {
    for (const plan of [
      () => inclusionPlan(3, 3),
      () => inclusionPlan(-1, 3),
      () => inclusionPlan(0.5, 3),
      () => consistencyPlan(4, 3),
    ])
      expect(plan).toThrow(RangeError)
  })

  it('refuses to prove from tiles that are missing or cut, and to extend them', () => {
    const tiles = built(someEntries(300))
    const cut = new Map(tiles).set('0/1', { level: 0, index: 1, hashes: Buffer.alloc(32) })
    expect(() => answer(cut, inclusionPlan(299, 300))).toThrow(TreeFault)
    expect(() => extended(300, [...cut.values()], [randomBytes(32)])).toThrow('tile 0/1 has 1 hashes instead of 44')
  })
})

describe('forgeries', () => {
  const entries = someEntries(200)
  const tiles = built(entries)
  const flipped = (hash: Buffer, bit: number): Buffer => {
    const forged = Buffer.from(hash)
    forged[Math.floor(bit / 8) % 32] = (forged[Math.floor(bit / 8) % 32] ?? 0) ^ (1 << (bit % 8))
    return forged
  }
  /** Any one change of a list of hashes. */
  const changes = fc.record({
    what: fc.constantFrom('flip', 'drop', 'repeat', 'swap', 'add'),
    at: fc.nat(),
    bit: fc.nat({ max: 255 }),
  })
  function changed(path: readonly Buffer[], { what, at, bit }: { what: string; at: number; bit: number }): readonly Buffer[] {
    const i = path.length === 0 ? 0 : at % path.length
    const hash = path[i]
    if (what === 'add' || hash === undefined) return [...path, leafHash(Buffer.of(bit))]
    if (what === 'flip') return path.with(i, flipped(hash, bit))
    if (what === 'drop') return path.toSpliced(i, 1)
    if (what === 'repeat') return path.toSpliced(i, 0, hash)
    const j = (i + 1) % path.length
    return path.with(i, path[j] ?? hash).with(j, hash)
  }
  const sizes = fc.tuple(fc.integer({ min: 1, max: 200 }), fc.nat()).map(([size, at]) => [size, at % size] as const)

  it('forgeries of a path to a leaf are found, of 1,000', () => {
    fc.assert(
      fc.property(sizes, changes, ([size, index], change) => {
        const path = answer(tiles, inclusionPlan(index, size))
        const forged = changed(path, change)
        if (hex(forged).join() === hex(path).join()) return true
        const leaf = leafHash(entries[index] ?? Buffer.alloc(0))
        return !isIncluded({ index: BigInt(index), size: BigInt(size), root: rootIn(tiles, size), leaf, path: forged })
      }),
      { numRuns: 1000 },
    )
  })

  it('forgeries of a leaf, its place or the root are found, of 1,000', () => {
    fc.assert(
      fc.property(sizes, fc.constantFrom('leaf', 'index', 'root'), fc.nat({ max: 255 }), ([size, index], what, bit) => {
        const path = answer(tiles, inclusionPlan(index, size))
        const true_ = {
          index: BigInt(index),
          size: BigInt(size),
          root: rootIn(tiles, size),
          leaf: leafHash(entries[index] ?? Buffer.alloc(0)),
          path,
        }
        const other = what === 'index' ? { index: BigInt((index + 1 + bit) % (size + 1)) } : { [what]: flipped(true_[what], bit) }
        return other['index'] === true_.index || !isIncluded({ ...true_, ...other })
      }),
      { numRuns: 1000 },
    )
  })

  it('forgeries of a growth are found, of 1,000', () => {
    fc.assert(
      fc.property(
        sizes,
        fc.oneof(changes, fc.constantFrom('first' as const, 'second' as const)),
        fc.nat({ max: 255 }),
        (two, change, bit) => {
          const [second, before] = two
          const first = Math.max(1, before)
          const path = answer(tiles, consistencyPlan(first, second))
          const roots = { first: rootIn(tiles, first), second: rootIn(tiles, second) }
          const other = typeof change === 'string' ? { ...roots, [change]: flipped(roots[change], bit) } : roots
          const forged = typeof change === 'string' ? path : changed(path, change)
          if (other === roots && hex(forged).join() === hex(path).join()) return true
          return !isConsistent({
            first: { size: BigInt(first), root: other.first },
            second: { size: BigInt(second), root: other.second },
            path: forged,
          })
        },
      ),
      { numRuns: 1000 },
    )
  })
})
