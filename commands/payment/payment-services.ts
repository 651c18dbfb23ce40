import type { PaymentGateway } from './payment-gateway.ts'
import type { Payments } from './payments.ts'
import type { PaymentStorage } from './payment-storage.ts'
import type { Outside } from '../outside.ts'

/** Payments by card, for every area that takes money. */
export type PaymentServices = Payments & {
  readonly gateway: PaymentGateway
  readonly storage: PaymentStorage
  /** The bank's page of the test gateway; null with a real provider. */
  readonly testBank: { readonly confirmation: (providerId: string, outcome: 'complete' | 'fail') => Promise<void> } | null
  /** Whether the provider can be reached now. */
  readonly outside: Outside
}
