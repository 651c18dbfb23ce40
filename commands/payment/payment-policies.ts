import { FULL_SCAN, type Sweep } from '../sweep.ts'
import type { Payments } from './payments.ts'
import type { PaymentStorage } from './payment-storage.ts'

export type PaymentPoliciesDeps = {
  readonly payments: Payments
  readonly storage: PaymentStorage
  readonly now: () => string
  /** While the provider is away, nothing is due. */
  readonly isAway: () => boolean
}

/** Carries out webhooks, and finishes payments that a process or a user left unfinished. */
export const paymentPolicies = ({ payments, storage, now, isAway }: PaymentPoliciesDeps): readonly Sweep[] => [
  {
    name: 'payment-webhooks',
    scan: async () =>
      isAway() ? [] : (await storage.webhooks.due(now(), FULL_SCAN)).map((event) => () => payments.handleWebhook(event)),
  },
  {
    name: 'payments',
    scan: async () => (isAway() ? [] : (await storage.tasks.due(now(), FULL_SCAN)).map((task) => () => payments.finish(task))),
  },
]
