import { setTimeout as delay } from 'node:timers/promises'
import { createLog } from './log.ts'
import { startStandIn, type StandIn, type StandInOptions } from './stand-in.ts'

/** Three nodes with one log. */
export type Cluster = {
  readonly url: string
  readonly nodes: readonly StandIn[]
  readonly leader: () => StandIn
  /** Elects the next node: until it resolves, the gossip of every node names the old leader. */
  readonly elect: (afterMs: number) => Promise<void>
  readonly stop: () => Promise<void>
}

export async function startCluster(options: Omit<StandInOptions, 'log'> = {}): Promise<Cluster> {
  const log = createLog()
  const nodes = await Promise.all([0, 1, 2].map(() => startStandIn({ ...options, log })))
  const ports = nodes.map(({ port }) => port)
  let leading = 0
  const leader = (): StandIn => {
    const node = nodes[leading]
    if (node === undefined) throw new Error('there is no such node')
    return node
  }
  for (const node of nodes) node.joinCluster(() => ({ ports, leader: leader().port }))
  return {
    url: `esdb://${ports.map((port) => `127.0.0.1:${port}`).join(',')}?tls=false`,
    nodes,
    leader,
    elect: async (afterMs) => {
      await delay(afterMs)
      leading = (leading + 1) % nodes.length
    },
    stop: async () => {
      await Promise.all(nodes.map((node) => node.stop()))
    },
  }
}
