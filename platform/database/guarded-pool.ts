import { AsyncLocalStorage } from 'node:async_hooks'
import type { TransactionBuilder } from 'kysely'
import { Pool, type PoolClient, type PoolConfig } from 'pg'
import { Away } from '#eventstore/away'
import type { Lanes } from './lanes.ts'

/** How long a request waits for a connection that is in use, milliseconds. */
export const BUSY_MS = 5000

/** Every connection of the pool stayed in use: 503 with Retry-After. */
export class PoolBusy extends Away {
  constructor() {
    super('A free database connection')
    this.name = 'PoolBusy'
  }
}

/** Work inside a transaction that asks the same pool for another connection. */
export class NestedRequest extends Error {
  constructor() {
    super('a transaction asked its pool for a second connection: use the connection of the transaction')
    this.name = 'NestedRequest'
  }
}

type Held = { readonly pool: Pool; isOpen: boolean }
const held = new AsyncLocalStorage<Held>()

export type Busy = {
  /** How long a request waits while all connections are in use, milliseconds. */
  readonly afterMs: number
  /** Rejects when the server does not answer: then requests go on waiting for it. */
  readonly ping: () => Promise<unknown>
  /** Reports a request that was given up. */
  readonly onBusy: () => void
}

/** Guards of a pool. */
export type Guards = {
  readonly busy: Busy | undefined
  readonly mayNest: boolean
  /** Connections by purpose; without them, those of the pool are for everything. */
  readonly lanes: Lanes | undefined
}

type Taken = (error: Error | undefined, client: PoolClient | undefined, release: (error?: unknown) => void) => void

/**
 * A pool that two things cannot exhaust for good. A request inside a transaction of the same pool is refused at once: as many such
 * transactions as there are connections would wait for each other for ever. A request that waits too long rejects with PoolBusy.
 */
export class GuardedPool extends Pool {
  readonly #guards: Guards
  readonly #max: number
  constructor(config: PoolConfig & { readonly max: number }, guards: Guards) {
    super(config)
    this.#guards = guards
    this.#max = config.max
  }

  override connect(): Promise<PoolClient>
  override connect(callback: Taken): void
  override connect(callback?: Taken): Promise<PoolClient> | void {
    if (callback === undefined) return this.#take()
    void this.#handOver(callback)
  }

  async #handOver(callback: Taken): Promise<void> {
    let client: PoolClient
    try {
      client = await this.#take()
    } catch (error) {
      return callback(error instanceof Error ? error : new Error(String(error)), undefined, () => {})
    }
    callback(undefined, client, (error) => client.release(error === undefined ? undefined : true))
  }

  #take(): Promise<PoolClient> {
    const { busy, lanes, mayNest } = this.#guards
    const holds = held.getStore()
    if (!mayNest && holds?.pool === this && holds.isOpen) return Promise.reject(new NestedRequest())
    const isFull = lanes === undefined ? this.idleCount === 0 && this.totalCount >= this.#max : lanes.isFull()
    const taking = lanes === undefined ? super.connect() : this.#inLane(lanes)
    return busy === undefined || !isFull ? taking : limited(taking, busy)
  }

  async #inLane(lanes: Lanes): Promise<PoolClient> {
    const giveBack = await lanes.take()
    let client: PoolClient
    try {
      client = await super.connect()
    } catch (error) {
      giveBack()
      throw error
    }
    const release = client.release.bind(client)
    client.release = (error) => {
      release(error)
      giveBack()
    }
    return client
  }
}

/** A connection that arrives after the limit goes back at once. */
function limited(taking: Promise<PoolClient>, { afterMs, ping, onBusy }: Busy): Promise<PoolClient> {
  return new Promise((resolve, reject) => {
    let isOver = false
    const wait = () => setTimeout(() => void ping().then(giveUp, () => (timer = wait())), afterMs).unref()
    let timer = wait()
    function giveUp(): void {
      if (isOver) return
      isOver = true
      onBusy()
      reject(new PoolBusy())
    }
    taking.then(
      (client) => {
        clearTimeout(timer)
        if (isOver) return client.release()
        isOver = true
        resolve(client)
      },
      (error: Error) => {
        clearTimeout(timer)
        isOver = true
        reject(error)
      },
    )
  })
}

/** The builder, whose transactions refuse work that asks their pool for another connection. */
export function guardedTransaction<DB>(builder: TransactionBuilder<DB>, pool: Pool): TransactionBuilder<DB> {
  const execute = builder.execute.bind(builder)
  const isolated = builder.setIsolationLevel.bind(builder)
  builder.setIsolationLevel = (level) => guardedTransaction(isolated(level), pool)
  builder.execute = (work) =>
    execute((tx) => {
      const holds: Held = { pool, isOpen: true }
      // Work that was started inside and goes on after the end may ask the pool.
      return held.run(holds, () => work(tx)).finally(() => (holds.isOpen = false))
    })
  return builder
}
