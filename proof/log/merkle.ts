import { hash } from 'node:crypto'

/**
 * The Merkle tree of RFC 6962, section 2.1. Proofs are planned first, as ranges of leaves, and then computed from complete subtrees,
 * so that a proof reads a few tiles and never the leaves.
 */

/** Bytes of a hash. */
export const HASH_BYTES = 32

const LEAF = Buffer.of(0)
const NODE = Buffer.of(1)

// In one call: a proof takes some hundred hashes, and the calls cost more than their bytes.
const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer')

export const leafHash = (entry: Uint8Array): Buffer => sha256(Buffer.concat([LEAF, entry]))

export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => sha256(Buffer.concat([NODE, left, right]))

/** The root of a tree without leaves. */
export const emptyRoot = (): Buffer => sha256(Buffer.alloc(0))

/** A complete subtree: its leaves are `index * 2^level` up to `(index + 1) * 2^level`. */
export type Subtree = { readonly level: number; readonly index: number }

/** Complete subtrees, from left to right, whose hashes give the hash of a range of leaves. */
export type Range = readonly Subtree[]

/** The ranges whose hashes are the proof, in its order. */
export type Plan = readonly Range[]

/** The whole tree. */
export const rootRange = (size: number): Range => rangeOf(0, size)

/** The audit path of a leaf (RFC 6962, section 2.1.1), from its sibling up. Throws RangeError when the tree has no such leaf. */
export function inclusionPlan(index: number, size: number): Plan {
  if (!isSize(index) || !isSize(size) || index >= size) throw new RangeError(`a tree of ${size} leaves has no leaf ${index}`)
  const plan: Range[] = []
  let [from, to] = [0, size]
  while (to - from > 1) {
    const middle = from + splitOf(to - from)
    if (index < middle) {
      plan.push(rangeOf(middle, to))
      to = middle
    } else {
      plan.push(rangeOf(from, middle))
      from = middle
    }
  }
  return plan.reverse()
}

/** The consistency proof between two sizes (RFC 6962, section 2.1.2); empty from size 0. Throws RangeError when `first` is larger. */
export function consistencyPlan(first: number, second: number): Plan {
  if (!isSize(first) || !isSize(second) || first > second) throw new RangeError(`no tree of ${second} leaves contains ${first}`)
  if (first === 0 || first === second) return []
  const plan: Range[] = []
  let [from, to] = [0, second]
  while (to !== first) {
    const middle = from + splitOf(to - from)
    if (first <= middle) {
      plan.push(rangeOf(middle, to))
      to = middle
    } else {
      plan.push(rangeOf(from, middle))
      from = middle
    }
  }
  // The verifier knows the root of the first tree, and so a subtree that is all of it.
  if (from > 0) plan.push(rangeOf(from, to))
  return plan.reverse()
}

/** The fewest complete subtrees over the leaves from `from` up to, and without, `to`, from left to right. */
export function subtreesBetween(from: number, to: number): readonly Subtree[] {
  const subtrees: Subtree[] = []
  for (let start = from; start < to;) {
    let level = 0
    while (start % 2 ** (level + 1) === 0 && start + 2 ** (level + 1) <= to) level += 1
    subtrees.push({ level, index: start / 2 ** level })
    start += 2 ** level
  }
  return subtrees
}

/** The hash of a range, from the hashes of its complete subtrees. */
export function hashOfRange(range: Range, hashOf: (subtree: Subtree) => Buffer): Buffer {
  const [last, ...others] = range.map(hashOf).reverse()
  if (last === undefined) return emptyRoot()
  return others.reduce((right, left) => nodeHash(left, right), last)
}

const isSize = (size: number): boolean => Number.isSafeInteger(size) && size >= 0

/** The largest power of two below `size`. */
function splitOf(size: number): number {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

/** Splits leaves from the largest complete subtree to the smallest. The first leaf of a range is aligned to the largest. */
function rangeOf(from: number, to: number): Range {
  const range: Subtree[] = []
  let start = from
  for (let level = 52; level >= 0; level--) {
    const leaves = 2 ** level
    if (to - start < leaves) continue
    range.push({ level, index: start / leaves })
    start += leaves
  }
  return range
}
