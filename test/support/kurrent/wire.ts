import type * as FeaturesService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import type * as Features from '@eventstore/db-client/generated/serverfeatures_pb.js'
import type * as GossipServices from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import type * as Gossip from '@eventstore/db-client/generated/gossip_pb.js'
import type * as Shared from '@eventstore/db-client/generated/shared_pb.js'
import type * as StreamsServices from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type * as Streams from '@eventstore/db-client/generated/streams_pb.js'
import { createRequire } from 'node:module'

/** The message and service definitions of the client itself. They are CommonJS without named exports. */
const require = createRequire(import.meta.url)
const load = (name: string): unknown => require(`@eventstore/db-client/generated/${name}`)

export const streams = load('streams_pb.js') as typeof Streams
export const shared = load('shared_pb.js') as typeof Shared
export const features = load('serverfeatures_pb.js') as typeof Features
export const gossip = load('gossip_pb.js') as typeof Gossip
export const { StreamsService } = load('streams_grpc_pb.js') as typeof StreamsServices
export const { ServerFeaturesService } = load('serverfeatures_grpc_pb.js') as typeof FeaturesService
export const { GossipService } = load('gossip_grpc_pb.js') as typeof GossipServices
