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
  draftOf,
  eventAnswer,
  expectedOf,
  fault,
  filterOf,
  notLeader,
  streamNotFound,
  text,
  unavailable,
} from './messages.ts'
import { features, GossipService, ServerFeaturesService, streams, StreamsService } from './wire.ts'

/**
 * A server with KurrentDB's protocol over real HTTP/2, for tests of the adapter with the real client. Not a database: it stores
 * in memory, replicates nothing, and has no users, scavenging, persistent subscriptions or link events.
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

export async function startStandIn(): Promise<StandIn> {
  const log = createLog()
  const calls = { append: 0, batchAppend: 0, read: 0 }
  const faults: AppendFault[] = []
  const live = new Set<(error: Error) => void>()
  let server: Server
  let port = 0
  let leaderPort = 0
  let knowsWay = true
  let silentReads = 0

  const isForLeader = ({ metadata }: { readonly metadata: Metadata }): boolean =>
    leaderPort !== port && metadata.get('requires-leader').includes('true')

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
      const bad = faults.shift()
      if (isForLeader(call)) return answer(notLeader(leaderPort))
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
    if (isForLeader(call)) return void call.emit('error', notLeader(leaderPort))
    const options = call.request.getOptions()
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
        knowsWay ? answer(null, clusterAnswer(port, leaderPort)) : answer(unavailable()),
    })
    server.addService(ServerFeaturesService, {
      getSupportedMethods: (_: unknown, answer: sendUnaryData<unknown>) => {
        const methods = ['append', 'batchappend', 'read'].map((name) =>
          new features.SupportedMethod().setServiceName('event_store.client.streams.streams').setMethodName(name),
        )
        answer(null, new features.SupportedMethods().setEventStoreServerVersion('24.10.0').setMethodsList(methods))
      },
    })
    port = await new Promise<number>((resolve, reject) =>
      server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      ),
    )
  }
  const cut = () => {
    for (const breakOff of live) breakOff(unavailable())
  }
  const kill = async () => {
    cut()
    server.forceShutdown()
  }

  await listen()
  leaderPort = port
  return {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    clusterUrl: `esdb://127.0.0.1:1,127.0.0.1:${port}?tls=false`,
    port,
    log,
    calls,
    nextAppend: (...more) => void faults.push(...more),
    silenceNextRead: () => {
      silentReads += 1
    },
    followNode: (leader) => {
      leaderPort = leader.port
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
