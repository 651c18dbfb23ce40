import { credentials, type ChannelCredentials } from '@grpc/grpc-js'
import { isIP } from 'node:net'

type SecureConnector = ReturnType<ChannelCredentials['_createSecureConnector']> & {
  readonly connectionOptions?: { servername?: string }
}

let isDone = false

/**
 * Lets TLS reach nodes that are named by an address, as gossip often names them. The client's gRPC sends the address as server name,
 * which RFC 6066 §3 forbids and Node.js 26 refuses. Without a server name the certificate is checked against the address all the same.
 */
export function reachHostsByAddress(): void {
  if (isDone) return
  isDone = true
  const secure = Object.getPrototypeOf(credentials.createSsl()) as Pick<ChannelCredentials, '_createSecureConnector'>
  const create = secure._createSecureConnector
  secure._createSecureConnector = function (this: ChannelCredentials, ...target) {
    const connector: SecureConnector = create.apply(this, target)
    const { connectionOptions } = connector
    if (connectionOptions?.servername !== undefined && isIP(connectionOptions.servername) !== 0) connectionOptions.servername = ''
    return connector
  }
}
