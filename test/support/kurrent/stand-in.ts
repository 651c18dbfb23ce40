import {
  Server,
  ServerCredentials,
  status,
  type Metadata,
  type sendUnaryData,
  type ServerReadableStream,
  type ServerWritableStream,
} from '@grpc/grpc-js'
import type { AppendReq, AppendResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js'
import { createLog, type Draft, type Entry, type Log } from './log.ts'
import {
  appendAnswer,
  checkpointAnswer,
  clusterAnswer,
  confirmation,
  denied,
  draftOf,
  eventAnswer,
  expectedOf,
  fault,
  filterOf,
  notLeader,
  streamNotFound,
  text,
  unauthenticated,
  unavailable,
  type ClusterView,
} from './messages.ts'
import { openFront, type Front } from './front.ts'
import { features, GossipService, ServerFeaturesService, streams, StreamsService } from './wire.ts'

/**
 * A server with KurrentDB's protocol over real HTTP/2, for tests of the adapter with the real client. Not a database: it stores
 * in memory, and has no scavenging, persistent subscriptions or link events.
 */
export type StandIn = {
  readonly url: string
  /** Connection string with this server and others that do not exist: the client discovers the right one. */
  readonly clusterUrl: string
  readonly port: number
  readonly log: Log
  /** The number of calls by method. */
  readonly calls: Readonly<Record<'append' | 'batchAppend' | 'read', number>>
  /** Faults of the next appends, one each. */
  readonly nextAppend: (...faults: readonly AppendFault[]) => void
  /** Never answers the next read. */
  readonly silenceNextRead: () => void
  /** The connection stays open and nothing answers, as in a stopped process; a thawed server answers what it was asked meanwhile. */
  readonly freeze: () => void
  readonly thaw: () => void
  /** Makes it a node of a cluster: what its gossip tells, and whether it answers calls that require the leader. */
  readonly joinCluster: (view: () => ClusterView) => void
  /** Makes it a follower of another node: names that node for calls that require the leader, and answers all others itself. */
  readonly followNode: (leader: StandIn) => void
  /** Refuses cluster discovery from now on. */
  readonly loseWay: () => void
  /** Breaks every open call, as a lost connection does. */
  readonly cut: () => void
  /** Stops, and restarts on the same port with its data. */
  readonly kill: () => Promise<void>
  readonly revive: () => Promise<void>
  readonly stop: () => Promise<void>
}
/** Refused before anything is stored; stored with a lost answer; never answered. */
export type AppendFault = 'refused' | 'answer lost' | 'silent'

export type StandInOptions = {
  /** Shared by the nodes of a cluster: replication takes no time. */
  readonly log?: Log
  /** PEM. */
  readonly tls?: { readonly key: string; readonly cert: string }
  /** Without users everyone may do everything. */
  readonly users?: Readonly<Record<string, { readonly password: string; readonly readsAll: boolean }>>
}

export async function startStandIn(options: StandInOptions = {}): Promise<StandIn> {
  const { log = createLog(), tls, users } = options
  const calls = { append: 0, batchAppend: 0, read: 0 }
  const faults: AppendFault[] = []
  const live = new Set<(error: Error) => void>()
  let server: Server
  let front: Front
  let port = 0
  let view = (): ClusterView => ({ ports: [port], leader: port })
  let knowsWay = true
  let silentReads = 0

  const isForLeader = ({ metadata }: { readonly metadata: Metadata }): boolean =>
    view().leader !== port && metadata.get('requires-leader').includes('true')

  /** The error for a caller who may not do this; null for one who may. */
  function refusal({ metadata }: { readonly metadata: Metadata }, readsAll: boolean) {
    if (users === undefined) return null
    const [, login = ''] = /^Basic (.*)$/.exec(String(metadata.get('authorization')[0] ?? '')) ?? []
    const [name = '', password] = text(login).split(':')
    const user = users[name]
    if (user === undefined || user.password !== password) return unauthenticated()
    return readsAll && !user.readsAll ? denied() : null
  }

  function append(call: ServerReadableStream<AppendReq, AppendResp>, answer: sendUnaryData<AppendResp>): void {
    calls.append += 1
    let options: AppendReq.Options | undefined
    const drafts: Draft[] = []
    call.on('error', () => {})
    call.on('data', (request: AppendReq) => {
      if (request.hasOptions()) options = request.getOptions()
      const message = request.getProposedMessage()
      if (message !== undefined) drafts.push(draftOf(message))
    })
    call.on('end', () => {
      // Given up by its caller, perhaps before all of it arrived.
      if (call.cancelled) return
      const refused = refusal(call, false)
      if (refused !== null) return answer(refused)
      const bad = faults.shift()
      if (isForLeader(call)) return answer(notLeader(view().leader))
      if (bad === 'refused') return answer(unavailable())
      if (options === undefined) return answer(fault(status.INVALID_ARGUMENT, 'no options'))
      const expected = expectedOf(options)
      const result = log.append(text(options.getStreamIdentifier()?.getStreamName() ?? ''), expected, drafts)
      if (bad === 'silent') return
      if (bad === 'answer lost') return answer(unavailable())
      if (result.kind === 'too big')
        return answer(
          fault(status.INVALID_ARGUMENT, 'Maximum Append Size Exceeded', {
            exception: 'maximum-append-size-exceeded',
            'maximum-append-size': '1048576',
          }),
        )
      answer(null, appendAnswer(result, expected))
    })
  }

  function read(call: ServerWritableStream<ReadReq, ReadResp>): void {
    calls.read += 1
    if (silentReads > 0) {
      silentReads -= 1
      return
    }
    const options = call.request.getOptions()
    const refused = refusal(call, options?.hasAll() === true)
    if (refused !== null) return void call.emit('error', refused)
    if (isForLeader(call)) return void call.emit('error', notLeader(view().leader))
    if (options === undefined) return void call.emit('error', fault(status.INVALID_ARGUMENT, 'no options'))
    if (options.hasSubscription()) return follow(call, options)
    const found = options.hasAll() ? fromAll(options) : fromStream(options)
    if (found === null) call.write(streamNotFound(text(options.getStream()?.getStreamIdentifier()?.getStreamName() ?? '')))
    else for (const entry of found.slice(0, Number(options.getCount()))) call.write(eventAnswer(entry))
    call.end()
  }

  function fromStream(options: ReadReq.Options): readonly Entry[] | null {
    const wanted = options.getStream()
    const entries = log.stream(text(wanted?.getStreamIdentifier()?.getStreamName() ?? ''))
    if (entries.length === 0) return null
    const from = wanted?.hasStart() === true ? 0 : Number(wanted?.getRevision() ?? 0)
    return entries.filter(({ revision }) => revision >= from)
  }

  /** Positions are inclusive when reading, in both directions. */
  function fromAll(options: ReadReq.Options): readonly Entry[] {
    const all = options.getAll()
    const commit = all?.hasPosition() === true ? BigInt(all.getPosition()?.getCommitPosition() ?? 0) : null
    if (options.getReadDirection() === streams.ReadReq.Options.ReadDirection.FORWARDS)
      return log.entries.filter((entry) => commit === null || entry.commit >= commit)
    return log.entries.filter((entry) => commit === null || entry.commit <= commit).toReversed()
  }

  /** Exclusive here. Writes as fast as the client reads, and reports its progress now and then. */
  function follow(call: ServerWritableStream<ReadReq, ReadResp>, options: ReadReq.Options): void {
    const all = options.getAll()
    const from = all?.hasPosition() === true ? BigInt(all.getPosition()?.getCommitPosition() ?? 0) : -1n
    const passes = filterOf(options)
    const filter = options.getFilter()
    // In windows, like the server: a number of events times the interval that the client requests.
    const between = (filter?.getMax() || 32) * (filter?.getCheckpointintervalmultiplier() || 1)
    let next = log.entries.findIndex(({ commit }) => commit > from)
    if (next === -1) next = log.entries.length
    let open = true
    let waiting = false
    let looked = 0
    const close = () => {
      open = false
      forget()
      live.delete(breakOff)
    }
    const breakOff = (error: Error) => {
      close()
      call.emit('error', error)
    }
    const pump = () => {
      if (waiting) return
      while (open && next < log.entries.length) {
        const entry = log.entries[next]
        if (entry === undefined) return
        next += 1
        looked += 1
        let room = true
        if (passes(entry)) room = call.write(eventAnswer(entry))
        if (looked % between === 0) room = call.write(checkpointAnswer(entry.commit))
        if (!room) {
          waiting = true
          call.once('drain', () => {
            waiting = false
            pump()
          })
          return
        }
      }
    }
    const forget = log.onGrowth(pump)
    live.add(breakOff)
    call.on('cancelled', close)
    call.on('error', close)
    call.write(confirmation())
    pump()
  }

  async function listen(): Promise<void> {
    server = new Server()
    server.addService(StreamsService, {
      append,
      read,
      // Listed in the gossip but silent: a client that connects to it waits forever.
      batchAppend: () => {
        calls.batchAppend += 1
      },
      delete: (_: unknown, answer: sendUnaryData<unknown>) => answer(fault(status.UNIMPLEMENTED, 'not in the stand-in')),
      tombstone: (_: unknown, answer: sendUnaryData<unknown>) => answer(fault(status.UNIMPLEMENTED, 'not in the stand-in')),
    })
    server.addService(GossipService, {
      read: (_: unknown, answer: sendUnaryData<unknown>) =>
        knowsWay ? answer(null, clusterAnswer(view())) : answer(unavailable()),
    })
    server.addService(ServerFeaturesService, {
      getSupportedMethods: (_: unknown, answer: sendUnaryData<unknown>) => {
        const methods = ['append', 'batchappend', 'read'].map((name) =>
          new features.SupportedMethod().setServiceName('event_store.client.streams.streams').setMethodName(name),
        )
        answer(null, new features.SupportedMethods().setEventStoreServerVersion('24.10.0').setMethodsList(methods))
      },
    })
    const credentials =
      tls === undefined
        ? ServerCredentials.createInsecure()
        : ServerCredentials.createSsl(null, [{ private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.cert) }])
    const behind = await new Promise<number>((resolve, reject) =>
      server.bindAsync('127.0.0.1:0', credentials, (error, bound) => (error === null ? resolve(bound) : reject(error))),
    )
    front = await openFront(port, behind)
    port = front.port
  }
  const cut = () => {
    for (const breakOff of live) breakOff(unavailable())
  }
  const kill = async () => {
    cut()
    server.forceShutdown()
    await front.close()
  }

  await listen()
  const query = tls === undefined ? '?tls=false' : ''
  return {
    url: `esdb://127.0.0.1:${port}${query}`,
    clusterUrl: `esdb://127.0.0.1:1,127.0.0.1:${port}${query}`,
    port,
    log,
    calls,
    nextAppend: (...more) => void faults.push(...more),
    silenceNextRead: () => {
      silentReads += 1
    },
    freeze: () => front.freeze(),
    thaw: () => front.thaw(),
    joinCluster: (joined) => {
      view = joined
    },
    followNode: (leader) => {
      view = () => ({ ports: [port, leader.port], leader: leader.port })
    },
    loseWay: () => {
      knowsWay = false
    },
    cut,
    kill,
    revive: listen,
    stop: kill,
  }
}
