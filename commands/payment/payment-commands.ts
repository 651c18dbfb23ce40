import * as rules from '#domain/payment/payment'
import { createCommands } from '../aggregate.ts'
import type { Handle } from '../handle.ts'

/** Commands of a payment. */
export const createPaymentCommands = (handle: Handle) =>
  createCommands(handle, { ...rules, decode: rules.decodePaymentEvent, streamOf: rules.paymentStream, unmetered: true })
export type PaymentCommands = ReturnType<typeof createPaymentCommands>
