import { NotProven, readCheckpoint, readVerifierKey, type Verifier } from '#proof/log/offline-verifier'
import { TreeFault } from '#proof/log/tiles'
import { published } from './log-heads.ts'
import type { LogHeadStore, LogTreeStore } from './log-port.ts'
import type { LogTree } from './log-tree.ts'
import type { LogFault } from './verify-log.ts'

export type VerifyHeadsDeps = {
  readonly heads: Pick<LogHeadStore, 'keys' | 'listed'>
  readonly tree: Pick<LogTreeStore, 'state'>
  readonly log: Pick<LogTree, 'root'>
  /** Keys of the witnesses whose lines are checked. */
  readonly witnesses: readonly Verifier[]
}

const HEADS_AT_ONCE = 500

/** Verifies every stored head: that the log's keys signed it, and that the tree had this root at this size. So all are consistent. */
export async function* verifyHeads({ heads, tree, log, witnesses }: VerifyHeadsDeps): AsyncGenerator<LogFault> {
  const { size: treeSize, origin } = await tree.state()
  const verifiers = [...(await heads.keys()).map(({ verifier_key }) => readVerifierKey(verifier_key)), ...witnesses]
  for (let after = -1; ;) {
    const page = await heads.listed(after, HEADS_AT_ONCE)
    for (const { size, root, note, cosignatures } of page) {
      after = size
      const fault = (message: string): LogFault => ({
        check: 'heads',
        message: `the head of size ${size} ${message}`,
        leaf: size,
      })
      try {
        const signed = readCheckpoint(published({ note, cosignatures }), verifiers)
        if (signed.origin !== origin || signed.size !== BigInt(size) || !signed.root.equals(root))
          yield fault('is stored with another size or root than it was signed with')
      } catch (error) {
        if (!(error instanceof NotProven)) throw error
        yield fault(`is not signed as it stands: ${error.message}`)
      }
      if (size > treeSize) yield fault(`is larger than the tree, which has ${treeSize} leaves`)
      else if (!(await hasRoot(log, size, root))) yield fault('is not a head of this tree')
    }
    if (page.length < HEADS_AT_ONCE) return
  }
}

const hasRoot = (log: Pick<LogTree, 'root'>, size: number, root: Buffer): Promise<boolean> =>
  log.root(size).then(
    (computed) => computed.equals(root),
    (error: unknown) => {
      if (error instanceof TreeFault) return false
      throw error
    },
  )
