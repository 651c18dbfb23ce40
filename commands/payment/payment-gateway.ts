import type { Micros } from '#domain/kit/money'
import type { CardBrand } from '#domain/payment/brands'
import type { FailureCode } from '#domain/payment/failures'
import type { PaymentProvider, PaymentReport } from '#domain/payment/payment'

/**
 * The port to a provider of payments by card. Adapters: `platform/payments`. Numbers of cards never reach Placard: browsers send them to
 * the provider, and Placard gets references. Calls reject with GatewayRefused when the card is declined, with GatewayMissing when the
 * provider does not know what a call names, with GatewayBusy when it limits requests, with GatewayFault when it cannot carry out this
 * one, and with any other error when it cannot be reached.
 */
export type PaymentGateway = {
  readonly provider: PaymentProvider
  /** For the provider's script in the browser; null without one. */
  readonly publishableKey: string | null
  readonly ping: () => Promise<unknown>
  /** The customer of an account: the same one for concurrent requests, and another one than `insteadOf`. */
  readonly createCustomer: (spaceId: string, insteadOf?: string | null) => Promise<string>
  /** Starts the entry of a card in the browser. The token is a secret of the user who enters it. */
  readonly startSetup: (customerId: string) => Promise<CardSetup>
  /** The card that the provider confirmed in this setup; null when it confirmed none, or another one. */
  readonly confirmedCard: (asked: ConfirmedSetup) => Promise<GatewayCard | null>
  readonly removeCard: (methodId: string) => Promise<void>
  /**
   * Makes a payment at the provider and takes no money. A repeat gets the same payment, unless the provider has forgotten it (Stripe
   * after a day) or keeps a failure for it: then it makes another one, which takes no money either.
   */
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
  /** Payments of Placard that took money, as the provider has them; those that were made before may be left out. */
  readonly taken: (since: string) => AsyncIterable<TakenPayment>
  /** Cancels a payment that took no money so far; returns its state, also when it was too late. */
  readonly cancel: (providerId: string) => Promise<GatewayPayment>
  /** The event of a webhook call; null when the signature is wrong or too old. */
  readonly readEvent: (body: Uint8Array, signature: string) => GatewayEvent | null
}

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

/** A payment that took money, by what the provider knows of it. */
export type TakenPayment = {
  readonly providerId: string
  readonly paymentId: string
  /** The account; null where the provider does not know it. */
  readonly spaceId: string | null
  readonly customerId: string | null
  readonly methodId: string
  readonly amount: Micros
  readonly currency: string
}

export type GatewayEvent = {
  readonly id: string
  readonly type: string
  /** The payment that it is about; null for an event of no payment. */
  readonly providerPaymentId: string | null
}

/** The bank declines: a repeat would be declined again. */
export class GatewayRefused extends Error {
  readonly failureCode: FailureCode
  constructor(failureCode: FailureCode, options?: ErrorOptions) {
    super(`the provider of payments refused a request: ${failureCode}`, options)
    this.name = 'GatewayRefused'
    this.failureCode = failureCode
  }
}

/** The provider does not know the customer, the card or the payment that a call names. */
export class GatewayMissing extends Error {
  readonly what: 'customer' | 'card' | 'payment'
  constructor(what: GatewayMissing['what'], options?: ErrorOptions) {
    super(`the provider of payments knows no such ${what}`, options)
    this.name = 'GatewayMissing'
    this.what = what
  }
}

/** The provider limits requests: only this call fails. */
export class GatewayBusy extends Error {
  /** How long it asks to wait, milliseconds; null when it does not say. */
  readonly retryAfterMs: number | null
  constructor(retryAfterMs: number | null = null, options?: ErrorOptions) {
    super('the provider of payments limits requests', options)
    this.name = 'GatewayBusy'
    this.retryAfterMs = retryAfterMs
  }
}

/** The provider is there and cannot carry out this request: a fault of the set-up, of Placard or of the provider, never of the bank. */
export class GatewayFault extends Error {
  /** The provider's code, such as `parameter_unknown`, and its id of the request: what its support asks for. */
  readonly code: string
  readonly requestId: string | null
  constructor(code: string, requestId: string | null, options?: ErrorOptions) {
    super(`the provider of payments could not carry out a request: ${code}`, options)
    this.name = 'GatewayFault'
    this.code = code
    this.requestId = requestId
  }
}
