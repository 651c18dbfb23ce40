import { AsyncLocalStorage } from 'node:async_hooks'

/** What a connection is taken for. Each purpose has connections of its own, which the others cannot use up. */
export type Purpose = 'calls' | 'reports' | 'policies'

export type Asker = {
  readonly purpose: Purpose
  /** The account that asks; null for the product itself. */
  readonly account: string | null
}

const asking = new AsyncLocalStorage<Asker>()

/** Runs work whose connections count for this purpose and account. */
export const asAsker = <T>(asker: Asker, work: () => T): T => asking.run(asker, work)

/** Part of a lane that one account leaves to the others. */
const LEFT_TO_OTHERS = 0.25

/** Most connections by purpose. Purposes without an entry use the first. */
export type LaneSizes = Readonly<Partial<Record<Purpose, number>>>
export type Lanes = ReturnType<typeof createLanes>

/** Connections by purpose, given to the accounts that wait in turn: one with many requests delays no other by more than one. */
export function createLanes(sizes: LaneSizes) {
  const lanes = new Map((Object.entries(sizes) as [Purpose, number][]).map(([purpose, size]) => [purpose, createLane(size)]))
  const [first] = lanes.keys()
  const [main] = lanes.values()
  if (first === undefined || main === undefined) throw new Error('a pool needs connections for a purpose')
  const current = () => {
    const { purpose, account } = asking.getStore() ?? { purpose: first, account: null }
    const lane = lanes.get(purpose)
    return { purpose: lane === undefined ? first : purpose, lane: lane ?? main, account }
  }
  return {
    purposes: [...lanes.keys()] as readonly Purpose[],
    size: [...lanes.values()].reduce((sum, { size }) => sum + size, 0),
    /** The purpose of the work that asks. */
    purpose: () => current().purpose,
    /** True when a request of this work would wait. */
    isFull: () => {
      const { lane, account } = current()
      return lane.isFull(account)
    },
    /** Resolves once this work may take a connection, with the function that gives it back. */
    take: () => {
      const { lane, account } = current()
      return lane.take(account)
    },
  }
}

type Granted = () => void

function createLane(size: number) {
  const share = Math.max(1, size - Math.ceil(size * LEFT_TO_OTHERS))
  const held = new Map<string | null, number>()
  /** By account, the one whose turn it is first. */
  const waiting = new Map<string | null, Granted[]>()
  let free = size

  // The product itself asks for a known number of connections.
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
      const [granted, ...others] = requests
      if (others.length > 0) waiting.set(account, others)
      return granted?.()
    }
  }

  return {
    size,
    isFull: (account: string | null) => waiting.has(account) || !mayTake(account),
    take(account: string | null): Promise<() => void> {
      if (!waiting.has(account) && mayTake(account)) return Promise.resolve(count(account))
      return new Promise((resolve) => {
        const requests = waiting.get(account) ?? []
        requests.push(() => resolve(count(account)))
        waiting.set(account, requests)
      })
    },
  }
}
