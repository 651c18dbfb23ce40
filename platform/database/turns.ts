import { TooMany } from '#commands/refused'
import { Away } from '#eventstore/away'

const RETRY_SECONDS = 5

/** Part that one account leaves to the others, where nothing else is said. */
const LEFT_TO_OTHERS = 0.25

/** Places that one account may hold, of so many. */
export const shareOf = (size: number, leftToOthers = LEFT_TO_OTHERS): number => Math.max(1, size - Math.ceil(size * leftToOthers))

/** The client left while its request waited for its turn. */
export class Left extends Away {
  constructor() {
    super('The client')
    this.name = 'Left'
  }
}

type Waiting = {
  readonly grant: () => void
  readonly refuse: () => void
  readonly gone: AbortSignal | undefined
  /** By the clock of `performance`, milliseconds. */
  readonly until: number
}
const staysIn = ({ gone, until }: Waiting): boolean => gone?.aborted !== true && performance.now() < until

/**
 * A number of places, given to those that wait by account in turn: an account with many requests delays another by one at most.
 * An account leaves a part of the places to the others, if there are several; null, the product itself, may hold all.
 */
export function createTurns(size: number, share = shareOf(size)) {
  const held = new Map<string | null, number>()
  /** By account, the one whose turn it is first. */
  const waiting = new Map<string | null, Waiting[]>()
  let free = size

  const mayTake = (account: string | null): boolean => free > 0 && (account === null || (held.get(account) ?? 0) < share)

  function count(account: string | null): () => void {
    free -= 1
    held.set(account, (held.get(account) ?? 0) + 1)
    let isBack = false
    return () => {
      if (isBack) return
      isBack = true
      free += 1
      const rest = (held.get(account) ?? 1) - 1
      if (rest === 0) held.delete(account)
      else held.set(account, rest)
      next()
    }
  }

  function next(): void {
    for (const [account, requests] of waiting) {
      if (!mayTake(account)) continue
      // To the end of the row.
      waiting.delete(account)
      const still = requests.filter(staysIn)
      for (const request of requests) if (!still.includes(request)) request.refuse()
      const [first, ...others] = still
      if (first === undefined) continue
      if (others.length > 0) waiting.set(account, others)
      return first.grant()
    }
  }

  return {
    size,
    isFull: (account: string | null) => waiting.has(account) || !mayTake(account),
    /** Places that are taken, and requests of all accounts that wait for one. */
    figures: () => ({ held: size - free, waiting: [...waiting.values()].reduce((sum, requests) => sum + requests.length, 0) }),
    /** How many requests of an account wait. */
    waiting: (account: string | null) => waiting.get(account)?.length ?? 0,
    /**
     * Resolves with the function that gives the place back. Rejects with Left when the client leaves before, and with TooMany when a place
     * of the account becomes free after `until`, which is on the clock of `performance`.
     */
    take(account: string | null, gone?: AbortSignal, until = Infinity): Promise<() => void> {
      if (gone?.aborted === true) return Promise.reject(new Left())
      if (!waiting.has(account) && mayTake(account)) return Promise.resolve(count(account))
      return new Promise((resolve, reject) => {
        const requests = waiting.get(account) ?? []
        const refuse = () => reject(gone?.aborted === true ? new Left() : new TooMany(RETRY_SECONDS))
        requests.push({ grant: () => resolve(count(account)), refuse, gone, until })
        waiting.set(account, requests)
      })
    },
  }
}
