import { AsyncLocalStorage } from 'node:async_hooks'
import { createTurns, shareOf } from './turns.ts'

/** Purpose of a connection. Each purpose has connections of its own, which the others cannot use up. */
export type Purpose = 'calls' | 'reports' | 'policies'

export type Asker = {
  readonly purpose: Purpose
  /** The account that asks; null for the product itself. */
  readonly account: string | null
  /** Aborted when the client leaves: what still waits for it is not done. */
  readonly gone?: AbortSignal
  /** Aborted when the client of an upload leaves: its file is not inspected any more. Statements go on, to remove what it left. */
  readonly sender?: AbortSignal
  /** The request that asks; log lines and events of the work name it. */
  readonly request?: AskingRequest
  /** `traceparent` of the span that the work is part of, recorded or not. */
  readonly trace?: string
}

/** `reqId` is the request's id, `traceId` that of its trace. */
export type AskingRequest = { readonly reqId: string; readonly traceId: string }

const asking = new AsyncLocalStorage<Asker>()

/** Runs work whose connections count for this purpose and account. Within a request or a span it stays work of that. */
export function asAsker<T>(asker: Asker, work: () => T): T {
  const { request, trace } = asking.getStore() ?? {}
  const inherited = { ...(request === undefined ? {} : { request }), ...(trace === undefined ? {} : { trace }) }
  return asking.run({ ...inherited, ...asker }, work)
}

/** Asker of the current work. */
export const askerNow = (): Asker => asking.getStore() ?? { purpose: 'calls', account: null }

/** `traceparent` of the span under way; undefined when it is not recorded. */
export function recordedTrace(): string | undefined {
  const { trace } = askerNow()
  return trace?.endsWith('-01') === true ? trace : undefined
}

/** Most connections by purpose. Purposes without an entry use the first. */
export type LaneSizes = Readonly<Partial<Record<Purpose, number>>>
export type LaneFigures = {
  readonly purpose: Purpose
  readonly size: number
  readonly held: number
  readonly waiting: number
}
export type Lanes = ReturnType<typeof createLanes>

/** Part that one account leaves to the others, besides a quarter: statements of reports take whole processors for seconds. */
const LEFT_TO_OTHERS: Readonly<Partial<Record<Purpose, number>>> = { reports: 0.5 }

/** Reports that one account may have computed at once, of so many connections for them. */
export const reportsAtOnce = (connections: number): number => shareOf(connections, LEFT_TO_OTHERS.reports)

/** Connections by purpose, given to the accounts that wait in turn: one with many requests delays no other by more than one. */
export function createLanes(sizes: LaneSizes) {
  const lanes = new Map(
    (Object.entries(sizes) as [Purpose, number][]).map(([purpose, size]) => [
      purpose,
      createTurns(size, shareOf(size, LEFT_TO_OTHERS[purpose])),
    ]),
  )
  const [first] = lanes.keys()
  const [main] = lanes.values()
  if (first === undefined || main === undefined) throw new Error('a pool needs connections for a purpose')
  const current = () => {
    const { purpose, account, gone } = askerNow()
    const lane = lanes.get(purpose)
    return { purpose: lane === undefined ? first : purpose, lane: lane ?? main, account, gone }
  }
  return {
    purposes: [...lanes.keys()] as readonly Purpose[],
    size: [...lanes.values()].reduce((sum, { size }) => sum + size, 0),
    /** How many connections of each purpose are in use, and how many requests wait for one. */
    figures: (): readonly LaneFigures[] => [...lanes].map(([purpose, lane]) => ({ purpose, size: lane.size, ...lane.figures() })),
    /** The purpose of the work that asks. */
    purpose: () => current().purpose,
    /** True when a request of this work would wait. */
    isFull: () => {
      const { lane, account } = current()
      return lane.isFull(account)
    },
    /** Resolves once this work may take a connection, with the function that gives it back. */
    take: () => {
      const { lane, account, gone } = current()
      return lane.take(account, gone)
    },
  }
}
