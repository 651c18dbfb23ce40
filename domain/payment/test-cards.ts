import type { CardBrand } from './brands.ts'
import type { FailureCode } from './failures.ts'

/** Outcome of a payment with a test card: it succeeds, asks for a confirmation by the bank, or fails. */
export type TestOutcome = 'succeeds' | 'asks' | FailureCode

export type TestCard = { readonly id: string; readonly brand: CardBrand; readonly last4: string; readonly outcome: TestOutcome }

/** The cards of the built-in test gateway, under Stripe's names for its test cards. */
export const TEST_CARDS: readonly TestCard[] = [
  { id: 'pm_card_visa', brand: 'visa', last4: '4242', outcome: 'succeeds' },
  { id: 'pm_card_mastercard', brand: 'mastercard', last4: '4444', outcome: 'succeeds' },
  { id: 'pm_card_amex', brand: 'amex', last4: '0005', outcome: 'succeeds' },
  { id: 'pm_card_authenticationRequired', brand: 'visa', last4: '3155', outcome: 'asks' },
  { id: 'pm_card_chargeDeclined', brand: 'visa', last4: '0002', outcome: 'card_declined' },
  { id: 'pm_card_chargeDeclinedInsufficientFunds', brand: 'visa', last4: '9995', outcome: 'insufficient_funds' },
  { id: 'pm_card_chargeDeclinedExpiredCard', brand: 'visa', last4: '0069', outcome: 'expired_card' },
]
