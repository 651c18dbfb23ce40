import type { Sweep } from '../sweep.ts'

/** A security event as its reader gets it. */
export type SecurityEvent = {
  readonly id: string
  /** ISO 8601 UTC. */
  readonly at: string
  readonly type: string
  readonly whitelabel_id: string | null
  readonly person_id: string | null
  /** Sealed under the key of its person. */
  readonly client_network: string | null
  readonly details: unknown
  readonly count: number
}

/** Where security events go: a receiver of syslog messages, or an endpoint of OTLP/HTTP logs. */
export type SecurityReceiver = SyslogReceiver | OtlpReceiver
export type SyslogReceiver = { readonly kind: 'syslog'; readonly host: string; readonly port: number; readonly tls: boolean }
export type OtlpReceiver = {
  readonly kind: 'otlp'
  readonly url: string
  /** Sent with every request, such as a token. */
  readonly headers: Readonly<Record<string, string>>
}

export type ForwardDeps = {
  /** Events after an id, in order. */
  readonly read: (after: bigint, limit: number) => Promise<readonly SecurityEvent[]>
  /** The same with what is sealed in them opened; null for what was erased. */
  readonly reveal: (events: readonly SecurityEvent[]) => Promise<readonly SecurityEvent[]>
  /** Resolves once the receiver has them all. */
  readonly send: (events: readonly SecurityEvent[]) => Promise<void>
  /** The newest event that was sent. */
  readonly position: () => Promise<bigint>
  readonly moveTo: (position: bigint) => Promise<void>
}

/** Events of one connection to the receiver. */
const AT_ONCE = 500
/** Connections of one round. */
const ROUND = 20

/**
 * Sends security events to a receiver outside as they happen, in order (fine print 82). A crash between sending and moving on sends
 * a batch again: each event has its id.
 */
export function createSecurityForwarder({ read, reveal, send, position, moveTo }: ForwardDeps): Sweep {
  /** True when there may be more. */
  async function forward(events: readonly SecurityEvent[]): Promise<boolean> {
    await send(await reveal(events))
    await moveTo(BigInt(events.at(-1)?.id ?? 0))
    return events.length === AT_ONCE
  }
  const next = async () => read(await position(), AT_ONCE)

  return {
    name: 'forwarding security events',
    scan: async () => {
      const found = await next()
      if (found.length === 0) return []
      // One line: a receiver gets the events in their order, so nothing passes one that it does not take.
      const act = async () => {
        let events = found
        for (let batch = 1; events.length > 0 && (await forward(events)) && batch < ROUND; batch++) events = await next()
      }
      return [{ key: 'line', act }]
    },
  }
}
