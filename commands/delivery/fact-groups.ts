import type { Fact } from '#domain/delivery/batch'
import type { FactStore } from '#factstore/fact-store'
import type { BatchInbox } from './delivery-port.ts'

/** Rows that a column store takes well at once. */
export const ROWS_OF_A_GROUP = 50_000

type Batch = { readonly id: string; readonly facts: readonly Fact[] }
type Waiting = Batch & { readonly resolve: () => void; readonly reject: (error: unknown) => void }

/**
 * Stores accepted batches in a fact store outside of the database: those that arrive while one insert goes on are the next, so that
 * a busy store gets few large inserts, and a batch alone waits for nothing. The inbox keeps what belongs together, so that each
 * group, and with it each batch, counts once whatever crashes.
 */
export function createFactGroups({ inbox, store }: { readonly inbox: BatchInbox; readonly store: Pick<FactStore, 'store'> }) {
  const waiting: Waiting[] = []
  let isStoring = false

  async function storeGroup(batches: readonly Batch[]): Promise<void> {
    const known = new Map(batches.map((batch) => [batch.id, batch]))
    // Others are in a group of the policies already, which store it.
    const ids = await inbox.group([...known.keys()])
    const [group] = ids
    if (group === undefined) return
    await store.store({ id: group, facts: ids.flatMap((id) => known.get(id)?.facts ?? []) })
    await inbox.stored(group)
  }

  /** The oldest batches, of so many rows together that one insert takes them well; one at least. */
  function next(): readonly Waiting[] {
    let rows = 0
    const count = waiting.findIndex(({ facts }, n) => (rows += facts.length) > ROWS_OF_A_GROUP && n > 0)
    return waiting.splice(0, count === -1 ? waiting.length : count)
  }

  async function drain(): Promise<void> {
    if (isStoring) return
    isStoring = true
    while (waiting.length > 0) {
      const batches = next()
      await storeGroup(batches).then(
        () => batches.forEach(({ resolve }) => resolve()),
        (error: unknown) => batches.forEach(({ reject }) => reject(error)),
      )
    }
    isStoring = false
  }

  return {
    /** Resolves once the batch is stored, or is left to the policies. */
    add: (batch: Batch): Promise<void> =>
      new Promise((resolve, reject) => {
        waiting.push({ ...batch, resolve, reject })
        void drain()
      }),
  }
}
