import type { Pool } from 'pg'
import { createStateCache } from '#commands/state-cache'
import { createKeyedMutex } from '#commands/keyed-mutex'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { newId } from '#platform/ids'
import { openConnection, type Connection } from './connection.ts'
import type { Saved } from './list-reader.ts'
import { commandsOver, issue } from './lives.ts'
import type { BenchProduct } from './product.ts'

/** A campaign, and the access token of its account's user. */
export type Target = { readonly id: string; readonly name: string; readonly token: string }

/** Saves the next campaign with a new budget; resolves when the save is acknowledged. */
export type Saver = {
  readonly save: () => Promise<Omit<Saved, 'acknowledged'>>
  readonly close: () => Promise<void>
}

/** Campaigns in turn, each budget a cent above the previous one. A campaign is saved again only after its last answer. */
function inOrder(targets: readonly Target[], fromCents: number) {
  const inKeyOrder = createKeyedMutex()
  let n = 0
  return (put: (target: Target, cents: number) => Promise<bigint>): Promise<Omit<Saved, 'acknowledged'>> => {
    const target = targets[n % targets.length]
    if (target === undefined) throw new Error('there is nothing to save')
    const cents = fromCents + n
    n += 1
    return inKeyOrder(target.id, async () => ({ ...target, position: await put(target, cents), budget: cents / 100 }))
  }
}

/** One-field PUTs over HTTP; adds a connection when all of an account are busy. */
export function saverOverHttp({ port }: Pick<BenchProduct, 'port'>, targets: readonly Target[], fromCents: number): Saver {
  const next = inOrder(targets, fromCents)
  const all: Connection[] = []
  const free = new Map<string, Connection[]>()
  return {
    save: () =>
      next(async ({ id, token }, cents) => {
        const own = free.get(token) ?? []
        free.set(token, own)
        let connection = own.pop()
        if (connection === undefined) all.push((connection = openConnection({ port, token })))
        const answer = await connection.put(JSON.stringify({ id, budget: cents / 100 }))
        own.push(connection)
        return BigInt(/"position":"(\d+)"/.exec(answer)?.[1] ?? '')
      }),
    close: async () => {
      for (const { close } of all) close()
    },
  }
}

/** The same through the handler in this process, beside the product. */
export function saverThroughHandler(
  { pool, url }: { readonly pool: Pool; readonly url: string },
  targets: readonly Target[],
  fromCents: number,
): Saver {
  const next = inOrder(targets, fromCents)
  const store = createPostgresEventStore({ pool, url })
  const commands = commandsOver(store, createStateCache(2 ** 30))
  return {
    save: () =>
      next(async ({ id }, cents) => {
        const outcome = await commands.update(id, issue(newId()), {
          patch: { budget: cents * 10_000 },
          newIds: [],
          expected: null,
        })
        if (outcome.kind !== 'done') throw new Error(`a bench save was refused: ${JSON.stringify(outcome.rejection)}`)
        return outcome.position
      }),
    close: () => store.close(),
  }
}
