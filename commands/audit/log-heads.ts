import type { EventStore } from '#eventstore/event-store'
import { checkpointText, signatureLines, signedNote } from '#proof/log/signed-note'
import { TreeFault } from '#proof/log/tiles'
import type { CosignedHead, LogHeadStore, LogTreeStore } from './log-port.ts'
import type { LogTree } from './log-tree.ts'

export type LogHeadsDeps = {
  readonly store: Pick<EventStore, 'head'>
  readonly tree: Pick<LogTreeStore, 'state' | 'faulty'>
  readonly log: Pick<LogTree, 'reach' | 'root'>
  readonly heads: LogHeadStore
  /** Names of the witnesses that are asked to cosign. */
  readonly witnesses: readonly string[]
}

/** Signed heads of the tree. */
export function createLogHeads({ store, tree, log, heads, witnesses }: LogHeadsDeps) {
  /**
   * Signs the tree as it is. Throws TreeFault, and signs nothing, when it is not the tree of the last head with leaves appended: a log must
   * never sign two heads that contradict each other.
   */
  async function sign(): Promise<CosignedHead> {
    const last = await heads.newest()
    const { origin, size } = await tree.state()
    if (last !== null) await refuseContradiction(last, size)
    const root = await log.root(size)
    const text = checkpointText(origin, size, root)
    const signers = await heads.signers(origin)
    const lines = signers.map((signer) => signer.sign(text))
    // After a rotation the same head gets the line of the new key beside those it has.
    const earlier = last?.size === size ? signatureLines(last.note) : []
    await heads.add({ size, root, note: signedNote(text, [...new Set([...earlier, ...lines])]) }, witnesses)
    const signed = await heads.ofSize(size)
    if (signed === null) throw new Error(`the head of size ${size} was not stored`)
    return signed
  }

  async function refuseContradiction(last: CosignedHead, size: number): Promise<void> {
    const root = size < last.size ? null : await rootUnlessFaulty(last.size)
    if (root?.equals(last.root) === true) return
    const fault = `the tree of ${size} leaves does not continue the head of size ${last.size} that was signed before`
    await tree.faulty(fault)
    throw new TreeFault(fault)
  }

  /** Only a fault of the tree is one: a database that is away says nothing about it. */
  const rootUnlessFaulty = (size: number): Promise<Buffer | null> =>
    log.root(size).catch((error: unknown) => {
      if (error instanceof TreeFault) return null
      throw error
    })

  return {
    sign,

    /** Signs a head that has every event committed by now. Throws Away when the tree is too far behind. */
    signNow: async (): Promise<CosignedHead> => {
      await log.reach(await store.head())
      return sign()
    },

    /** Signs a head when the newest one is this old, seconds. An empty log has none. */
    async signIfOlder(seconds: number): Promise<void> {
      const last = await heads.newest()
      if (last !== null && last.age < seconds) return
      if ((await tree.state()).size > 0) await sign()
    },
  }
}

/** The checkpoint with its cosignatures, as it is published. */
export const published = ({ note, cosignatures }: Pick<CosignedHead, 'note' | 'cosignatures'>): string =>
  note + cosignatures.join('')
