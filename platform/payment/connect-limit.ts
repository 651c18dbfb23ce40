import type { Agent } from 'node:http'
import type { Duplex } from 'node:stream'

/** No connection was established within the limit. */
export class ConnectTimeout extends Error {
  readonly code = 'ETIMEDOUT'
}

/** The agent, whose new connections fail unless they are established within the limit, milliseconds. */
export function withConnectLimit(agent: Agent, limitMs: number): Agent {
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, callback) => {
    const socket = connect(options, callback)
    if (socket !== null && socket !== undefined) limited(socket, limitMs)
    return socket
  }
  return agent
}

function limited(socket: Duplex, limitMs: number): void {
  const timer = setTimeout(() => {
    socket.destroy(new ConnectTimeout(`no connection in ${limitMs} ms`))
  }, limitMs)
  timer.unref()
  // The handshake of TLS counts too: a frozen server still accepts connections.
  const established = 'encrypted' in socket ? 'secureConnect' : 'connect'
  for (const event of [established, 'close']) socket.once(event, () => clearTimeout(timer))
}
