import { HASH_BYTES, hashOfRange, nodeHash, type Plan, type Subtree } from './merkle.ts'

/**
 * Tiles of C2SP tlog-tiles: up to 256 consecutive hashes of one level. Tiles of level 0 hold leaf hashes; a hash of the level above is the
 * root of a full tile.
 */

const HEIGHT = 8
/** Hashes of a full tile. */
export const TILE_WIDTH = 2 ** HEIGHT

export type TileAddress = { readonly level: number; readonly index: number }
/** Its hashes, one after the other; fewer than 256 at the right edge of the tree. */
export type Tile = TileAddress & { readonly hashes: Buffer }

/** The stored tree contradicts itself or the log: a proof from it would be worthless. */
export class TreeFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TreeFault'
  }
}

/** Tiles at the right edge that are not full: what an append extends. */
export function edgesOf(size: number): readonly TileAddress[] {
  const edges: TileAddress[] = []
  for (let level = 0, width = size; width > 0; level++, width = Math.floor(width / TILE_WIDTH))
    if (width % TILE_WIDTH !== 0) edges.push({ level, index: Math.floor(width / TILE_WIDTH) })
  return edges
}

/** New and extended tiles after an append of leaf hashes to a tree of this size. `edges`: the tiles of `edgesOf`. */
export function extended(size: number, edges: readonly Tile[], leaves: readonly Buffer[]): readonly Tile[] {
  const tiles: Tile[] = []
  let added = leaves
  for (let level = 0, width = size; added.length > 0; level++, width = Math.floor(width / TILE_WIDTH)) {
    const first = Math.floor(width / TILE_WIDTH)
    const edge = edges.find((tile) => tile.level === level && tile.index === first)?.hashes ?? Buffer.alloc(0)
    if (edge.length !== (width % TILE_WIDTH) * HASH_BYTES)
      throw new TreeFault(`tile ${level}/${first} has ${edge.length / HASH_BYTES} hashes instead of ${width % TILE_WIDTH}`)
    const hashes = Buffer.concat([edge, ...added])
    const full: Buffer[] = []
    for (let at = 0; at < hashes.length; at += TILE_WIDTH * HASH_BYTES) {
      const tile = hashes.subarray(at, at + TILE_WIDTH * HASH_BYTES)
      tiles.push({ level, index: first + at / (TILE_WIDTH * HASH_BYTES), hashes: tile })
      if (tile.length === TILE_WIDTH * HASH_BYTES) full.push(rootOfTile(tile))
    }
    added = full
  }
  return tiles
}

/** Tiles that hold the hashes of a plan, each once. */
export function tilesOf(plan: Plan): readonly TileAddress[] {
  const tiles = new Map<string, TileAddress>()
  for (const subtree of plan.flat()) {
    const { level, index } = placeOf(subtree)
    tiles.set(`${level}/${index}`, { level, index })
  }
  return [...tiles.values()]
}

/** The hashes of a plan, from the tiles of `tilesOf`. Throws TreeFault when one of them is missing or too short. */
export function hashesOf(plan: Plan, tiles: readonly Tile[]): readonly Buffer[] {
  const byPlace = new Map(tiles.map((tile) => [`${tile.level}/${tile.index}`, tile.hashes]))
  return plan.map((range) =>
    hashOfRange(range, (subtree) => {
      const { level, index, first, count } = placeOf(subtree)
      const hashes = byPlace.get(`${level}/${index}`)
      if (hashes === undefined || hashes.length < (first + count) * HASH_BYTES)
        throw new TreeFault(`tile ${level}/${index} is missing or incomplete`)
      return rootOfHashes(hashes, first, count)
    }),
  )
}

/** Where the hashes under a subtree are: its root is computed from `count` of a tile's hashes. */
function placeOf({ level, index }: Subtree): TileAddress & { readonly first: number; readonly count: number } {
  const count = 2 ** (level % HEIGHT)
  const first = index * count
  return { level: Math.floor(level / HEIGHT), index: Math.floor(first / TILE_WIDTH), first: first % TILE_WIDTH, count }
}

/** The root of a full tile: the hash that the tile above it has. */
export const rootOfTile = (hashes: Buffer): Buffer => rootOfHashes(hashes, 0, TILE_WIDTH)

/** The root over a power of two of consecutive hashes. */
function rootOfHashes(hashes: Buffer, first: number, count: number): Buffer {
  let level = Array.from({ length: count }, (_, i) => hashes.subarray((first + i) * HASH_BYTES, (first + i + 1) * HASH_BYTES))
  while (level.length > 1) level = pairsOf(level)
  return level[0] ?? Buffer.alloc(0)
}

const pairsOf = (level: readonly Buffer[]): Buffer[] =>
  level.flatMap((left, i) => {
    const right = level[i + 1]
    return i % 2 === 0 && right !== undefined ? [nodeHash(left, right)] : []
  })
