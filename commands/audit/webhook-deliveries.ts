import { createHash } from 'node:crypto'
import { DONE, jobKind, pauseAfter, type JobKind, type JobOutcome, type JobPolicy, type JobRunner } from '../jobs/job.ts'
import type { DueWebhook, SendWebhook, WebhookFeed, WebhookMessage, WebhookProgress } from './webhook-port.ts'

/** One job for a webhook that is behind the feed. Its key is the id of the webhook. */
export const WEBHOOK: JobKind<never> = jobKind('audit-webhook', 1, [])
export const WEBHOOK_POLICY: JobPolicy = {
  atOnce: 20,
  // The webhook is parked after some days, and its job is then done.
  tries: null,
  backoff: { firstMs: 2000, longestMs: 3_600_000 },
  leaseSeconds: 20,
}

/** A job delivers for this long before it makes room for another one. */
const TURN_MS = 5000

export type WebhookDeliveryDeps = {
  readonly progress: WebhookProgress
  readonly feed: WebhookFeed
  /** The secret of a generation, `whsec_` and base64. */
  readonly secretOf: (id: string, generation: number) => Promise<string>
  readonly send: SendWebhook
  /** Milliseconds of a clock that only goes forward. */
  readonly clock: () => number
}

/**
 * Delivers what comes after the position of a webhook, in order, a message at a time. What a message contains is fixed before its
 * first try: a repeat has the same id and the same events, also after the process died.
 */
export function createWebhookDeliveries({ progress, feed, secretOf, send, clock }: WebhookDeliveryDeps): JobRunner {
  /** Sends one message, or moves past events that do not pass the filter. Null when there is more to do at once. */
  async function step(id: string, tries: number, signal: AbortSignal): Promise<JobOutcome | null> {
    const webhook = await progress.due(id)
    if (webhook === null) return DONE
    const { whitelabelId, filter, position: after, pending } = webhook
    const { entries, next, head } = await feed({ whitelabelId, filter, after, upTo: pending })
    const last = entries.at(-1)
    if (last === undefined) {
      const upTo = pending ?? next ?? head
      if (upTo > after) await progress.skip(webhook, upTo)
      return pending === null && next === null ? DONE : null
    }
    const upTo = pending ?? BigInt(last.position)
    if (pending === null && !(await progress.begin(webhook, upTo))) return null
    const message = messageOf(webhook, upTo, entries)
    const { status, error } = await send(webhook.url, message, await secretsOf(webhook), signal)
    if (status !== null && status >= 200 && status < 300) {
      await progress.delivered(webhook, upTo)
      return null
    }
    const reason = error ?? `The receiver answered ${status}`
    if (await progress.failed(webhook, reason)) return DONE
    return { kind: 'retry', afterMs: pauseAfter(WEBHOOK_POLICY.backoff, tries), reason }
  }

  const secretsOf = ({ id, generation, overlaps }: DueWebhook): Promise<readonly string[]> =>
    Promise.all((overlaps ? [generation, generation - 1] : [generation]).map((one) => secretOf(id, one)))

  return {
    async run({ key, tries }, signal): Promise<JobOutcome> {
      for (const end = clock() + TURN_MS; clock() < end;) {
        signal.throwIfAborted()
        const outcome = await step(key, tries, signal)
        if (outcome !== null) return outcome
      }
      return { kind: 'again', afterMs: 0 }
    },
  }
}

function messageOf(
  { id, whitelabelId, position, epoch }: DueWebhook,
  upTo: bigint,
  entries: readonly { readonly at: string }[],
): WebhookMessage {
  const data = { whitelabel_id: whitelabelId, after: String(position), up_to: String(upTo), entries }
  return {
    id: `msg_${createHash('sha256').update(`${id} ${epoch} ${position} ${upTo}`).digest('base64url').slice(0, 27)}`,
    body: JSON.stringify({ type: 'audit.entries', timestamp: entries.at(-1)?.at ?? '', data }),
  }
}

/** A message that shows whether the receiver takes what is sent to it. */
export const testMessage = (id: string, messageId: string, at: string): WebhookMessage => ({
  id: `msg_${messageId}`,
  body: JSON.stringify({ type: 'audit.test', timestamp: at, data: { webhook_id: id } }),
})
