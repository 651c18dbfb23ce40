export type Random = {
  /** An integer from 0 up to, not including, `below`. */
  readonly integer: (below: number) => number
  readonly pick: <T>(from: readonly T[]) => T
  readonly shuffled: <T>(from: readonly T[]) => T[]
}

/** Deterministic numbers for a seed (a 32-bit xorshift). */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed, 0x9e37_79b1) >>> 0 || 1
  const integer = (below: number): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
  const pick = <T>(from: readonly T[]): T => {
    const picked = from[integer(from.length)]
    if (picked === undefined) throw new Error('there is nothing to pick from')
    return picked
  }
  const shuffled = <T>(from: readonly T[]): T[] => {
    const left = [...from]
    return from.flatMap(() => left.splice(integer(left.length), 1))
  }
  return { integer, pick, shuffled }
}
