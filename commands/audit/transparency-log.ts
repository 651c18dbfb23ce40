import type { EventStore } from '#eventstore/event-store'
import { TreeFault } from '#proof/log/tiles'
import { refused } from '../refused.ts'
import type { Sweep } from '../sweep.ts'
import { createLogHeads, published } from './log-heads.ts'
import type { LogHeadStore, LogTreeStore, WitnessStore } from './log-port.ts'
import { createLogTree } from './log-tree.ts'
import type { AskWitness, Witness } from './witnesses.ts'

/** Pages of events that one scan adds: a log that is far behind must not keep a stop waiting. */
const PAGES = 20
/** Heads are published at least hourly (fine print 23); with room for a restart. */
const HEAD_SECONDS = 1800
/** Pause between comparisons of a page with the log, and checks of the age of the newest head, milliseconds: a million events take three hours. */
const COMPARE_MS = 10_000

export type LogStores = {
  readonly tree: LogTreeStore
  readonly heads: LogHeadStore
  readonly witnesses: WitnessStore
  readonly ask: AskWitness
}
export type TransparencyLog = ReturnType<typeof createTransparencyLog>

type Deps = {
  readonly store: EventStore
  readonly config: { readonly transparency: { readonly witnesses: readonly Witness[] } }
}

/** The log of all events as auditors see it: tree, heads and proofs. */
export function createTransparencyLog({ config, store }: Deps, stores: LogStores) {
  const { witnesses } = config.transparency
  const log = createLogTree({ store, tree: stores.tree })
  const heads = createLogHeads({
    store,
    tree: stores.tree,
    log,
    heads: stores.heads,
    witnesses: witnesses.map(({ key }) => key.name),
  })

  async function headOf(size: number | undefined) {
    const head = size === undefined ? await stores.heads.newest() : await stores.heads.ofSize(size)
    if (head === null) throw refused(131)
    return head
  }

  return {
    log,
    heads,

    checkpoint: async (size: number | undefined): Promise<string> => published(await headOf(size)),

    /** The newest head with its time and its witnesses; null before the first. */
    async head() {
      const head = await stores.heads.newest()
      if (head === null) return null
      const cosigned = new Map(head.cosignatures.map(readCosignature))
      return {
        size: head.size,
        root_hash: head.root.toString('base64'),
        current_at: new Date(Date.now() - head.age * 1000).toISOString(),
        witnesses: witnesses.map(({ key: { name } }) => ({ name, cosigned_at: cosigned.get(name) ?? null })),
        checkpoint: published(head),
      }
    },

    async sign() {
      const head = await heads.signNow()
      return { size: head.size, root_hash: head.root.toString('base64'), checkpoint: published(head) }
    },

    async keys() {
      const { origin } = await stores.tree.state()
      await stores.heads.signers(origin)
      return { origin, keys: [...(await stores.heads.keys())] }
    },

    /** Proof that a head has an event: the head of this size, or the newest one, which is signed now when it does not have it. */
    async inclusion(eventId: string, size: number | undefined) {
      // A commit that its writer saw is in the log, and so in the tree.
      await log.reach(await store.head())
      const index = await stores.tree.indexOf(eventId)
      if (index === null) throw refused(131)
      const newest = size === undefined ? await stores.heads.newest() : await headOf(size)
      const head = newest !== null && (size !== undefined || newest.size > index) ? newest : await heads.sign()
      if (head.size <= index) throw refused(131)
      const hashes = base64(await log.inclusion(index, head.size))
      const checkpoint = published(head)
      return {
        event_id: eventId,
        index,
        size: head.size,
        hashes,
        checkpoint,
        proof: ['c2sp.org/tlog-proof@v1', `index ${index}`, ...hashes, '', checkpoint].join('\n'),
      }
    },

    /** Proof that one signed head continues another. */
    async consistency(from: number, to: number | undefined) {
      const [first, second] = [await headOf(from), await headOf(to)]
      if (first.size > second.size) throw refused(2)
      const hashes = base64(await log.consistency(first.size, second.size))
      return {
        from: first.size,
        to: second.size,
        hashes,
        from_checkpoint: published(first),
        to_checkpoint: published(second),
      }
    },
  }
}

/** Name and time of a witness from its line, `— name base64`: four bytes of its key's id, eight of the time (C2SP tlog-cosignature). */
function readCosignature(line: string): readonly [name: string, at: string] {
  const [, name = '', signature = ''] = line.split(' ')
  return [name, new Date(Number(Buffer.from(signature, 'base64').readBigUInt64BE(4)) * 1000).toISOString()]
}

const base64 = (hashes: readonly Buffer[]): string[] => hashes.map((hash) => hash.toString('base64'))

/** Follows the log, signs heads, and compares the tree with the log again and again. */
export function logSweeps(
  { log, heads }: TransparencyLog,
  { tree }: Pick<LogStores, 'tree'>,
  logger: { readonly error: (message: string) => void },
): readonly Sweep[] {
  let compared = -Infinity
  let reported: string | null = null
  async function report(): Promise<void> {
    const { fault } = await tree.state()
    if (fault !== null && fault !== reported)
      logger.error(
        `the transparency log and the event log disagree: ${fault}. Nothing was rebuilt: keep the database as it is, and compare it with a backup (docs/proof.md)`,
      )
    reported = fault
  }
  return [
    {
      name: 'transparency log',
      scan: async () => {
        await log.follow(PAGES)
        if (performance.now() - compared < COMPARE_MS) return []
        compared = performance.now()
        await log.compareNext()
        await heads.signIfOlder(HEAD_SECONDS).catch((error: unknown) => {
          // Stored with the tree, and reported below.
          if (!(error instanceof TreeFault)) throw error
        })
        await report()
        return []
      },
    },
  ]
}
