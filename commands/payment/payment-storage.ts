import type { CardBrand } from '#domain/payment/brands'
import type { PaymentProvider, PaymentState } from '#domain/payment/payment'

/** A card as it is stored, with the provider's references. Removed cards stay for the history of payments, without a name. */
export type StoredCard = {
  readonly id: string
  readonly space_id: string
  readonly provider: PaymentProvider
  readonly customer_id: string
  readonly method_id: string
  readonly brand: CardBrand
  readonly last4: string
  readonly exp_month: number
  readonly exp_year: number
  readonly holder_name: string | null
  readonly country: string | null
  readonly funding: string | null
  readonly fingerprint: string
  readonly added_by: string
  readonly created_at: string
  readonly removed_at: string | null
}

/** A payment whose result is not in the ledger so far. It is stored before its first event, and removed as the last step. */
export type PaymentTask = {
  readonly paymentId: string
  readonly startedAt: string
}

/** Data of payment commands outside the log. */
export type PaymentStorage = {
  readonly cards: {
    readonly find: (id: string) => Promise<StoredCard | null>
    /** A card of the account that is not removed, by its number's fingerprint. */
    readonly byFingerprint: (spaceId: string, provider: PaymentProvider, fingerprint: string) => Promise<StoredCard | null>
    /** Stores a card; a repeat renews what the provider says about it. */
    readonly store: (card: StoredCard) => Promise<void>
    readonly remove: (id: string, at: string) => Promise<void>
  }
  readonly customers: {
    readonly find: (spaceId: string, provider: PaymentProvider) => Promise<string | null>
    /** Stores the customer of an account that has none, or has `insteadOf`. */
    readonly store: (spaceId: string, provider: PaymentProvider, customerId: string, insteadOf: string | null) => Promise<void>
  }
  /** Gives cards and customers that were stored without the mode of Stripe's keys to this one. */
  readonly adopt: (provider: PaymentProvider) => Promise<void>
  /** Other providers that accounts have cards with: they cannot be charged now. */
  readonly otherProviders: (provider: PaymentProvider) => Promise<readonly PaymentProvider[]>
  readonly tasks: {
    /** Adds a task, and its job for after the pause. A repeat changes nothing. */
    readonly add: (
      task: PaymentTask & { readonly spaceId: string; readonly cardId: string; readonly afterMs: number },
    ) => Promise<void>
    /** Removes the task with its job and, if it was there, does in the same transaction what a finished payment causes once. */
    readonly finish: (paymentId: string, state: PaymentState | null) => Promise<void>
    readonly ofAccount: (spaceId: string) => Promise<boolean>
    readonly ofCard: (cardId: string) => Promise<boolean>
  }
  readonly webhooks: {
    /** Stores an event, and its job when it is about a payment. A repeat changes nothing. */
    readonly add: (event: {
      readonly id: string
      readonly type: string
      readonly providerPaymentId: string | null
      readonly at: string
    }) => Promise<void>
    /** Removes handled events that were received so many days before `now`. */
    readonly purge: (now: string, afterDays: number) => Promise<void>
  }
}
