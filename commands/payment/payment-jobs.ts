import { jobKind, type JobPolicy, type JobRunner } from '../jobs/job.ts'
import { GatewayBusy } from './payment-gateway.ts'
import type { PaymentServices } from './payment-services.ts'

/** Finishes the payment of this id. */
export const PAYMENT_JOB = jobKind('payment', 1, ['started_at'])
/** Records what the webhook of this id is about. */
export const WEBHOOK_JOB = jobKind('payment-webhook', 1, ['provider_payment_id'])

const POLICY = { atOnce: 32, backoff: { firstMs: 2000, longestMs: 600_000 }, leaseSeconds: 60 } as const
/** A payment is never given up: whether money moved is known to the provider alone. */
export const PAYMENT_POLICY: JobPolicy = { ...POLICY, tries: null }
/** Three days: as long as the provider itself would repeat it. */
export const WEBHOOK_POLICY: JobPolicy = { ...POLICY, tries: 450 }

type Deps = Pick<PaymentServices, 'finish' | 'handleWebhook' | 'outside'>

/** Finishes payments that a process or a user left unfinished. */
export const paymentRunner = ({ finish, outside }: Deps): JobRunner => ({
  run: (job) => finish({ paymentId: job.key, startedAt: PAYMENT_JOB.read(job).started_at }),
  isPaused: outside.isAway,
  leastPause,
})

export const webhookRunner = ({ handleWebhook, outside }: Deps): JobRunner => ({
  run: (job) => handleWebhook(WEBHOOK_JOB.read(job).provider_payment_id),
  isPaused: outside.isAway,
  leastPause,
})

/** How long the provider asks to wait, milliseconds; 0 when it does not say. */
function leastPause(error: unknown): number {
  const cause: unknown = error instanceof Error ? error.cause : null
  const busy = [error, cause].find((one) => one instanceof GatewayBusy)
  return busy?.retryAfterMs ?? 0
}
