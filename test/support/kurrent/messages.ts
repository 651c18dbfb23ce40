import { Metadata, status, type ServiceError } from '@grpc/grpc-js'
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js'
import type { AppendReq, AppendResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js'
import type { Appended, Draft, Entry, Expected } from './log.ts'
import { gossip, shared, streams } from './wire.ts'

export const text = (bytes: string | Uint8Array): string =>
  typeof bytes === 'string' ? Buffer.from(bytes, 'base64').toString('utf8') : Buffer.from(bytes).toString('utf8')

export function fault(code: status, details: string, metadata: Readonly<Record<string, string>> = {}): ServiceError {
  const trailers = new Metadata()
  for (const [key, value] of Object.entries(metadata)) trailers.set(key, value)
  return Object.assign(new Error(details), { code, details, metadata: trailers })
}

export const unavailable = (): ServiceError => fault(status.UNAVAILABLE, 'the server is not ready')

/** The error of a follower for calls that require the leader; contains the address of the leader. */
export const notLeader = (leaderPort: number): ServiceError =>
  fault(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': '127.0.0.1',
    'leader-endpoint-port': String(leaderPort),
  })

/** The answer to wrong credentials, or to none. */
export const unauthenticated = (): ServiceError => fault(status.UNAUTHENTICATED, 'Bad HTTP status code: 401')

/** The answer to a user without the right. */
export const denied = (): ServiceError => fault(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' })

/** View of one node on its cluster. */
export type ClusterView = { readonly ports: readonly number[]; readonly leader: number }

export function clusterAnswer({ ports, leader }: ClusterView): ClusterInfo {
  const { LEADER, FOLLOWER } = gossip.MemberInfo.VNodeState
  const members = ports.map((each) =>
    new gossip.MemberInfo()
      .setInstanceId(new shared.UUID().setString('00000000-0000-4000-8000-000000000000'))
      .setTimeStamp('16000000000000000')
      .setState(each === leader ? LEADER : FOLLOWER)
      .setIsAlive(true)
      .setHttpEndPoint(new gossip.EndPoint().setAddress('127.0.0.1').setPort(each)),
  )
  return new gossip.ClusterInfo().setMembersList(members)
}

export function expectedOf(options: AppendReq.Options): Expected {
  if (options.hasAny()) return 'any'
  if (options.hasNoStream()) return 'no stream'
  return options.hasStreamExists() ? 'stream exists' : Number(options.getRevision())
}

export function draftOf(message: AppendReq.ProposedMessage): Draft {
  const map = message.getMetadataMap()
  return {
    id: message.getId()?.getString() ?? '',
    type: String(map.get('type')),
    contentType: String(map.get('content-type')),
    data: Buffer.from(message.getData_asU8()),
    metadata: Buffer.from(message.getCustomMetadata_asU8()),
  }
}

export function appendAnswer(result: Appended, expected: Expected): AppendResp {
  const answer = new streams.AppendResp()
  if (result.kind === 'ok') {
    const position = new streams.AppendResp.Position()
      .setCommitPosition(String(result.last.commit))
      .setPreparePosition(String(result.last.commit))
    return answer.setSuccess(
      new streams.AppendResp.Success().setCurrentRevision(String(result.last.revision)).setPosition(position),
    )
  }
  const wrong = new streams.AppendResp.WrongExpectedVersion()
  if (result.current === null) wrong.setCurrentNoStream(new shared.Empty())
  else wrong.setCurrentRevision(String(result.current))
  if (expected === 'any') wrong.setExpectedAny(new shared.Empty())
  else if (expected === 'no stream') wrong.setExpectedNoStream(new shared.Empty())
  else if (expected === 'stream exists') wrong.setExpectedStreamExists(new shared.Empty())
  else wrong.setExpectedRevision(String(expected))
  return answer.setWrongExpectedVersion(wrong)
}

export function eventAnswer(entry: Entry): ReadResp {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(entry.id))
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(entry.stream).toString('base64')))
    .setStreamRevision(String(entry.revision))
    .setCommitPosition(String(entry.commit))
    .setPreparePosition(String(entry.commit))
    .setData(Uint8Array.from(entry.data))
    .setCustomMetadata(Uint8Array.from(entry.metadata))
  recorded.getMetadataMap().set('type', entry.type).set('content-type', entry.contentType).set('created', '16000000000000000')
  const event = new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(String(entry.commit))
  return new streams.ReadResp().setEvent(event)
}

export const checkpointAnswer = (commit: bigint): ReadResp =>
  new streams.ReadResp().setCheckpoint(
    new streams.ReadResp.Checkpoint().setCommitPosition(String(commit)).setPreparePosition(String(commit)),
  )

export const confirmation = (): ReadResp =>
  new streams.ReadResp().setConfirmation(new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId('stand-in'))

export function streamNotFound(name: string): ReadResp {
  const identifier = new shared.StreamIdentifier().setStreamName(Buffer.from(name).toString('base64'))
  return new streams.ReadResp().setStreamNotFound(new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifier))
}

/** Whether the server's filter lets an event through. */
export function filterOf(options: ReadReq.Options): (entry: Entry) => boolean {
  const filter = options.getFilter()
  if (filter === undefined) return () => true
  const byStream = filter.hasStreamIdentifier()
  const expression = byStream ? filter.getStreamIdentifier() : filter.getEventType()
  const prefixes = expression?.getPrefixList() ?? []
  const pattern = expression?.getRegex() ?? ''
  const regex = pattern === '' ? null : new RegExp(pattern)
  return (entry) => {
    const value = byStream ? entry.stream : entry.type
    return regex === null ? prefixes.some((prefix) => value.startsWith(prefix)) : regex.test(value)
  }
}
