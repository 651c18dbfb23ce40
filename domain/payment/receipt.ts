/** A number for people, from the payment's id. */
export const receiptNumber = (paymentId: string): string => `R-${paymentId.replaceAll('-', '').slice(0, 10).toUpperCase()}`
