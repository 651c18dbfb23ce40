import type { Micros } from '../../domain/kit/money.ts'
import type { CardBrand } from '../../domain/payment/brands.ts'
import type { FailureCode } from '../../domain/payment/failures.ts'
import type { PaymentReport } from '../../domain/payment/payment.ts'

/**
 * The port to a provider of payments by card. Adapters: `platform/payments`. Numbers of cards never reach Placard: browsers send them to
 * the provider, and Placard gets references. Calls reject with GatewayRefused when the provider refuses what was asked, with GatewayBusy
 * when it cannot answer now, and with any other error when it is away.
 */
export type PaymentGateway = {
  readonly provider: PaymentProvider
  /** For the provider's script in the browser; null without one. */
  readonly publishableKey: string | null
  readonly ping: () => Promise<unknown>
  /** The customer of an account: the same one for the same account, at any time and from any process. */
  readonly createCustomer: (spaceId: string) => Promise<string>
  /** Starts the entry of a card in the browser. The token is a secret of the user who enters it. */
  readonly startSetup: (customerId: string) => Promise<CardSetup>
  /** The card that the provider confirmed in this setup; null when it confirmed none, or another one. */
  readonly confirmedCard: (asked: ConfirmedSetup) => Promise<GatewayCard | null>
  readonly removeCard: (methodId: string) => Promise<void>
  /** Makes a payment at the provider and takes no money. The same payment id makes the same payment. */
  readonly open: (order: PaymentOrder) => Promise<{ readonly providerId: string }>
  /** Takes the money of an opened payment, once. `offSession`: no user is there to confirm it. */
  readonly confirm: (payment: {
    readonly providerId: string
    readonly paymentId: string
    readonly methodId: string
    readonly offSession: boolean
  }) => Promise<GatewayPayment>
  /** Null for a payment that the provider does not know. */
  readonly read: (providerId: string) => Promise<GatewayPayment | null>
  /** Cancels a payment that took no money so far; returns its state, also when it was too late. */
  readonly cancel: (providerId: string) => Promise<GatewayPayment>
  /** The event of a webhook call; null when the signature is wrong or too old. */
  readonly readEvent: (body: Uint8Array, signature: string) => GatewayEvent | null
}

export type PaymentProvider = 'stripe' | 'test'

export type CardSetup = { readonly setupId: string; readonly clientToken: string; readonly expiresAt: string }
export type ConfirmedSetup = { readonly setupId: string; readonly methodId: string; readonly customerId: string }

export type GatewayCard = {
  readonly methodId: string
  readonly brand: CardBrand
  readonly last4: string
  readonly expMonth: number
  readonly expYear: number
  readonly holderName: string | null
  readonly country: string | null
  readonly funding: string | null
  /** The same for the same card number. */
  readonly fingerprint: string
}

export type PaymentOrder = {
  readonly paymentId: string
  readonly customerId: string
  readonly methodId: string
  readonly amount: Micros
  readonly currency: string
}

export type GatewayPayment = PaymentReport & {
  /** Placard's id of it; null for a payment that Placard did not make. */
  readonly paymentId: string | null
  /** With which the browser confirms the payment; null when there is nothing to confirm. */
  readonly clientToken: string | null
}

export type GatewayEvent = {
  readonly id: string
  readonly type: string
  /** The payment that it is about; null for an event of no payment. */
  readonly providerPaymentId: string | null
}

/** The provider is there and refuses this request: a repeat would be refused again. */
export class GatewayRefused extends Error {
  readonly failureCode: FailureCode
  constructor(failureCode: FailureCode, options?: ErrorOptions) {
    super(`the provider of payments refused a request: ${failureCode}`, options)
    this.name = 'GatewayRefused'
    this.failureCode = failureCode
  }
}

/** The provider limits requests: only this call fails. */
export class GatewayBusy extends Error {
  constructor(options?: ErrorOptions) {
    super('the provider of payments limits requests', options)
    this.name = 'GatewayBusy'
  }
}
