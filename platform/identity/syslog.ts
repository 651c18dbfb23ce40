import { once } from 'node:events'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { SecurityEvent, SyslogReceiver } from '#commands/identity/forward-security-events'
import { isSuspicious } from './suspicious.ts'

/** Facility "log audit" of RFC 5424, and its severities. */
const AUDIT = 13
const WARNING = 4
const NOTICE = 5
/** How long a receiver may take for one batch, milliseconds. */
const WITHIN_MS = 10_000

/**
 * A security event as a message of RFC 5424: facility 13, the type of the event as its message id, and the event as JSON in ASCII.
 */
export function syslogMessage(event: SecurityEvent, hostname: string): string {
  const severity = isSuspicious(event.type) ? WARNING : NOTICE
  const id = event.type.replaceAll(/[^\x21-\x7e]/g, '_').slice(0, 32)
  const json = JSON.stringify(event).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `<${AUDIT * 8 + severity}>1 ${event.at} ${hostname} placard - ${id} - ${json}`
}

/** Sends batches of security events to a receiver; resolves once it has one. */
export const createSyslog = (receiver: SyslogReceiver, hostname: string) => (events: readonly SecurityEvent[]) =>
  send(
    receiver,
    events.map((event) => syslogMessage(event, hostname)),
  )

/**
 * Over its own connection, framed by octet counts (RFC 6587, RFC 5425). Syslog has no answers, so that the receiver has a batch once
 * it closes its side after the end of ours.
 */
async function send({ host, port, tls }: SyslogReceiver, messages: readonly string[]): Promise<void> {
  const socket: Socket = tls ? connectTls({ host, port, servername: isIP(host) === 0 ? host : '' }) : connectPlain({ host, port })
  const within = AbortSignal.timeout(WITHIN_MS)
  try {
    // Without a reader the end of the receiver's side is never seen.
    socket.resume()
    await once(socket, tls ? 'secureConnect' : 'connect', { signal: within })
    const ended = once(socket, 'end', { signal: within })
    socket.end(messages.map((message) => `${Buffer.byteLength(message)} ${message}`).join(''))
    await ended
  } finally {
    socket.destroy()
  }
}
