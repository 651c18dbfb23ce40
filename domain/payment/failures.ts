/** Why a payment by card failed, independent of the provider. */
export const FAILURE_CODES = [
  'card_declined',
  'insufficient_funds',
  'expired_card',
  'incorrect_cvc',
  'card_unknown',
  'processing_error',
  'authentication_failed',
  'authentication_required',
  'currency_not_supported',
  'canceled',
] as const
export type FailureCode = (typeof FAILURE_CODES)[number]

/** Codes of providers with their own name here. Banks ask not to report lost and stolen cards as such. */
const SAME: Readonly<Record<string, FailureCode>> = {
  payment_intent_authentication_failure: 'authentication_failed',
  setup_intent_authentication_failure: 'authentication_failed',
  invalid_cvc: 'incorrect_cvc',
  invalid_expiry_month: 'expired_card',
  invalid_expiry_year: 'expired_card',
  try_again_later: 'processing_error',
  withdrawal_count_limit_exceeded: 'insufficient_funds',
}

/** The code of a provider's code: its decline code where there is one. An unknown code is a declined card. */
export function failureCodeOf(...codes: readonly (string | null | undefined)[]): FailureCode {
  for (const code of codes) {
    const known = FAILURE_CODES.find((one) => one === code) ?? SAME[code ?? '']
    if (known !== undefined && known !== 'card_declined') return known
  }
  return 'card_declined'
}

/** Meaning of a failure and the remedy, for callers of the API; screens have their own texts. */
export const FAILURE_TEXTS: Readonly<Record<FailureCode, string>> = {
  card_declined: 'The bank declined the card. Use another card, or ask the bank why',
  insufficient_funds: 'The card does not have enough funds. Use another card or a smaller amount',
  expired_card: 'The card has expired. Use another card',
  incorrect_cvc: 'The security code of the card is wrong. Add the card again',
  card_unknown: 'The payment provider does not know this card any more. Remove it, and add it again',
  processing_error: 'The bank could not process the payment. Try again in a few minutes',
  authentication_failed: 'The bank could not confirm that it is you. Try again, or use another card',
  authentication_required: 'The bank asks for a confirmation. Refill the account by hand to confirm it',
  currency_not_supported: 'The card does not take this currency. Use another card',
  canceled: 'The payment was not completed in time, and no money was taken. Try again',
}
