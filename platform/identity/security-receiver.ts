import type { FastifyBaseLogger } from 'fastify'
import type { SecurityEvent, SecurityReceiver } from '#commands/identity/forward-security-events'
import { Away } from '#eventstore/away'
import { createOtlpLogs } from './otlp-logs.ts'
import { createSyslog } from './syslog.ts'

export type ReceiverOptions = {
  readonly receiver: SecurityReceiver
  /** Sender, as receivers list it. */
  readonly hostname: string
  readonly logger: Pick<FastifyBaseLogger, 'error' | 'warn'>
}

/**
 * Sends batches of security events to a receiver outside, each until the receiver has it; rejects with Away while it does not take them. The
 * log says so once.
 */
export function createSecurityReceiver({ receiver, hostname, logger }: ReceiverOptions) {
  const name = receiver.kind === 'syslog' ? 'syslog' : 'the receiver of security events'
  const send =
    receiver.kind === 'syslog'
      ? createSyslog(receiver, hostname)
      : createOtlpLogs(receiver, { 'service.name': 'placard', 'host.name': hostname }, (records) =>
          logger.error(`${name} refused ${records} of them, which are not sent again. The security log has them`),
        )
  let isAway = false
  return async (events: readonly SecurityEvent[]): Promise<void> => {
    try {
      await send(events)
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error)
      if (!isAway) logger.error(`${name} is away: ${cause}. Security events wait, and are sent when it is back`)
      isAway = true
      throw new Away(name, { cause: error })
    }
    if (isAway) logger.warn(`${name} is back`)
    isAway = false
  }
}

/** By what the position of a receiver is kept: another one begins with what happens from then on. Empty without one. */
export function destinationOf(receiver: SecurityReceiver | null): string {
  if (receiver === null) return ''
  return receiver.kind === 'syslog' ? `${receiver.host}:${receiver.port}` : receiver.url
}
