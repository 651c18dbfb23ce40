import { concat, sha256, type Bytes } from './bytes.ts'

/**
 * A Merkle tree of RFC 6962 that grows at its right edge, from leaves and from the hashes of complete subtrees. It keeps one hash for each
 * level, however many leaves it has.
 */
export type GrowingTree = {
  readonly size: () => number
  /** Appends complete subtrees of this level, whose first leaf is the next one; false where one of that level cannot begin. */
  readonly append: (level: number, hashes: readonly Bytes[]) => Promise<boolean>
  readonly root: () => Promise<Bytes>
}

const LEAF = Uint8Array.of(0)
const NODE = Uint8Array.of(1)

export const leafHash = (entry: Uint8Array): Promise<Bytes> => sha256(concat(LEAF, entry))
const nodeHash = (left: Uint8Array, right: Uint8Array): Promise<Bytes> => sha256(concat(NODE, left, right))

export function createGrowingTree(): GrowingTree {
  let size = 0
  /** By level: the complete subtree at the right edge that waits for its sibling. */
  const waiting: (Bytes | undefined)[] = []

  return {
    size: () => size,

    async append(level, hashes) {
      if (size % 2 ** level !== 0) return false
      size += hashes.length * 2 ** level
      let nodes = [...hashes]
      for (let at = level; nodes.length > 0; at++) {
        const first = waiting[at]
        if (first !== undefined) nodes.unshift(first)
        waiting[at] = nodes.length % 2 === 1 ? nodes.pop() : undefined
        // At once: one hash takes longer than its bytes.
        nodes = await Promise.all(pairsOf(nodes).map(([left, right]) => nodeHash(left, right)))
      }
      return true
    },

    async root() {
      let root: Bytes | undefined
      for (const left of waiting) if (left !== undefined) root = root === undefined ? left : await nodeHash(left, root)
      return root ?? sha256(new Uint8Array())
    },
  }
}

const pairsOf = (nodes: readonly Bytes[]): readonly (readonly [Bytes, Bytes])[] =>
  nodes.flatMap((left, i) => {
    const right = nodes[i + 1]
    return i % 2 === 0 && right !== undefined ? [[left, right] as const] : []
  })

/** Levels of the complete subtrees between two leaves, from left to right: the fewest that fit. */
export function levelsBetween(from: number, to: number): readonly number[] {
  const levels: number[] = []
  for (let at = from; at < to;) {
    let level = 0
    while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= to) level += 1
    levels.push(level)
    at += 2 ** level
  }
  return levels
}
