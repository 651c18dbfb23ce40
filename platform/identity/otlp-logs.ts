import type { OtlpReceiver, SecurityEvent } from '#commands/identity/forward-security-events'
import { otlpAttributes, postOtlp } from '../telemetry/post-otlp.ts'
import { isSuspicious } from './suspicious.ts'

/** How long a receiver may take for one batch, milliseconds. */
const WITHIN_MS = 10_000
/** Severity numbers of OpenTelemetry. */
const INFO = 9
const WARN = 13

/** A security event as a log record of OTLP, in its JSON encoding: the event as JSON is the body, as in syslog. */
function logRecordOf(event: SecurityEvent) {
  const suspicious = isSuspicious(event.type)
  return {
    timeUnixNano: `${Date.parse(event.at)}000000`,
    severityNumber: suspicious ? WARN : INFO,
    severityText: suspicious ? 'WARN' : 'INFO',
    eventName: `placard.${event.type}`,
    body: { stringValue: JSON.stringify(event) },
    attributes: otlpAttributes({
      'log.record.uid': event.id,
      'placard.whitelabel': event.whitelabel_id,
      'placard.person': event.person_id,
      'placard.count': event.count,
    }),
  }
}

/**
 * Sends batches of security events to an endpoint of OTLP/HTTP logs; resolves once it has answered that it took one. Records that it refuses
 * for good are no reason to send the others again: `onRefused` gets their number.
 */
export function createOtlpLogs(
  receiver: OtlpReceiver,
  resource: Readonly<Record<string, string>>,
  onRefused: (records: number) => void,
) {
  return async (events: readonly SecurityEvent[]): Promise<void> => {
    const logRecords = events.map(logRecordOf)
    const scopeLogs = [{ scope: { name: 'placard.security' }, logRecords }]
    const request = { resourceLogs: [{ resource: { attributes: otlpAttributes(resource) }, scopeLogs }] }
    const refused = refusedIn(await postOtlp(receiver, request, WITHIN_MS))
    if (refused > 0) onRefused(refused)
  }
}

/** 64-bit numbers are text in JSON. */
function refusedIn(answer: unknown): number {
  const { partialSuccess } = (answer ?? {}) as {
    readonly partialSuccess?: { readonly rejectedLogRecords?: number | string } | null
  }
  return Number(partialSuccess?.rejectedLogRecords ?? 0)
}
